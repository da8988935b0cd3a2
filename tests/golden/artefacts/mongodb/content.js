// Collections and indexes of the MongoDB database "content", written by `keywright compile`.
// mongosh "<connection string>" --file content.js
// Creates missing objects and does not change existing ones; running it again does nothing.

const database = db.getSiblingDB("content");
const existing = new Set(database.getCollectionNames());

// authors: Author
if (!existing.has("authors")) {
  database.createCollection("authors", {
    validator: {
      $jsonSchema: {
        bsonType: "object",
        required: ["_id", "name"],
        properties: { _id: { bsonType: "string" }, name: { bsonType: "string", maxLength: 120 } },
      },
    },
    validationLevel: "strict",
    validationAction: "error",
  });
}

// books: Book
if (!existing.has("books")) {
  database.createCollection("books", {
    validator: {
      $jsonSchema: {
        bsonType: "object",
        required: ["_id", "author_ids", "title"],
        properties: {
          _id: { bsonType: "string", maxLength: 13 },
          title: { bsonType: "string", maxLength: 300 },
          author_ids: { bsonType: "array", maxItems: 20, items: { bsonType: "string" } },
        },
      },
    },
    validationLevel: "strict",
    validationAction: "error",
  });
}
database.getCollection("books").createIndex({ author_ids: 1 }, { name: "author_ids_1" });

// categories: Category
if (!existing.has("categories")) {
  database.createCollection("categories", {
    validator: {
      $jsonSchema: {
        bsonType: "object",
        required: ["_id", "name"],
        properties: {
          _id: { bsonType: ["int", "long"] },
          name: { bsonType: "string", maxLength: 80 },
          ancestors: { bsonType: "array", maxItems: 8, items: { bsonType: ["int", "long"] } },
        },
      },
    },
    validationLevel: "strict",
    validationAction: "error",
  });
}
database.getCollection("categories").createIndex({ ancestors: 1 }, { name: "ancestors_1" });

// cities: City
if (!existing.has("cities")) {
  database.createCollection("cities", {
    validator: {
      $jsonSchema: {
        bsonType: "object",
        required: ["_id", "name", "place"],
        properties: {
          _id: { bsonType: "string" },
          name: { bsonType: "string", maxLength: 100 },
          place: {
            bsonType: "object",
            required: ["coordinates"],
            properties: {
              type: { bsonType: "string", enum: ["Point"] },
              coordinates: { bsonType: "array", minItems: 2, maxItems: 2, items: { bsonType: "double" } },
            },
          },
        },
      },
    },
    validationLevel: "strict",
    validationAction: "error",
  });
}
database.getCollection("cities").createIndex({ place: "2dsphere" }, { name: "place_2dsphere" });

// comment_pages: CommentPage
if (!existing.has("comment_pages")) {
  database.createCollection("comment_pages", {
    validator: {
      $jsonSchema: {
        bsonType: "object",
        required: ["comments", "page", "post_id"],
        properties: {
          _id: { bsonType: "string" },
          post_id: { bsonType: "string" },
          page: { bsonType: ["int", "long"] },
          comments: {
            bsonType: "array",
            maxItems: 1000,
            items: {
              bsonType: "object",
              required: ["author", "created_at", "text"],
              properties: {
                author: { bsonType: "string", maxLength: 80 },
                text: { bsonType: "string" },
                created_at: { bsonType: "date" },
              },
            },
          },
        },
      },
    },
    validationLevel: "strict",
    validationAction: "error",
  });
}
database.getCollection("comment_pages").createIndex(
  { post_id: 1, page: 1 },
  { name: "post_id_1_page_1", unique: true },
);

// countries: Country
if (!existing.has("countries")) {
  database.createCollection("countries", {
    validator: {
      $jsonSchema: {
        bsonType: "object",
        required: ["_id", "capital", "name"],
        properties: {
          _id: { bsonType: "string", maxLength: 2 },
          name: { bsonType: "string", maxLength: 100 },
          capital: {
            bsonType: "object",
            required: ["name", "population"],
            properties: {
              name: { bsonType: "string", maxLength: 100 },
              population: { bsonType: ["int", "long"] },
            },
          },
        },
      },
    },
    validationLevel: "strict",
    validationAction: "error",
  });
}

// people: Person
if (!existing.has("people")) {
  database.createCollection("people", {
    validator: {
      $jsonSchema: {
        bsonType: "object",
        required: ["_id", "city_id", "name"],
        properties: {
          _id: { bsonType: "string" },
          city_id: { bsonType: "string" },
          name: { bsonType: "string", maxLength: 120 },
        },
      },
    },
    validationLevel: "strict",
    validationAction: "error",
  });
}
database.getCollection("people").createIndex({ city_id: 1, name: 1 }, { name: "city_id_1_name_1" });
// not sharded in this environment: sh.shardCollection("content.people", { city_id: 1 });

// posts: Post
if (!existing.has("posts")) {
  database.createCollection("posts", {
    validator: {
      $jsonSchema: {
        bsonType: "object",
        required: ["_id", "author_id", "body", "created_at", "slug", "title"],
        properties: {
          _id: { bsonType: "string" },
          author_id: { bsonType: "string" },
          slug: { bsonType: "string", maxLength: 120 },
          title: { bsonType: "string", maxLength: 200 },
          body: { bsonType: "string" },
          tags: { bsonType: "array", maxItems: 20, items: { bsonType: "string" } },
          published: { bsonType: "bool" },
          created_at: { bsonType: "date" },
          comments: {
            bsonType: "array",
            maxItems: 50,
            items: {
              bsonType: "object",
              required: ["author", "created_at", "text"],
              properties: {
                author: { bsonType: "string", maxLength: 80 },
                text: { bsonType: "string" },
                created_at: { bsonType: "date" },
              },
            },
          },
          has_more_comments: { bsonType: "bool" },
          comment_count: { bsonType: ["int", "long"] },
        },
      },
    },
    validationLevel: "strict",
    validationAction: "error",
  });
}
database.getCollection("posts").createIndex(
  { author_id: 1, created_at: -1 },
  { name: "author_id_1_created_at_-1" },
);
database.getCollection("posts").createIndex(
  { slug: 1 },
  { name: "slug_1", unique: true, partialFilterExpression: { published: true } },
);
database.getCollection("posts").createIndex({ tags: 1 }, { name: "tags_1" });
database.getCollection("posts").createIndex(
  { body: "text", title: "text" },
  { name: "title_text_body_text", weights: { body: 1, title: 5 }, default_language: "english" },
);

// readers: Reader
if (!existing.has("readers")) {
  database.createCollection("readers", {
    validator: {
      $jsonSchema: {
        bsonType: "object",
        required: ["_id", "email", "first_name", "last_name"],
        properties: {
          _id: { bsonType: "string" },
          email: { bsonType: "string" },
          first_name: { bsonType: "string", maxLength: 60 },
          last_name: { bsonType: "string", maxLength: 60 },
          tier: { bsonType: "string", enum: ["free", "plus"] },
          _kw_v: { bsonType: ["int", "long"], minimum: 1 },
        },
      },
    },
    validationLevel: "strict",
    validationAction: "error",
  });
}
database.getCollection("readers").createIndex(
  { email: 1 },
  { name: "email_1", unique: true, collation: { locale: "en", strength: 2 } },
);

// students: Student
if (!existing.has("students")) {
  database.createCollection("students", {
    validator: {
      $jsonSchema: {
        bsonType: "object",
        required: ["_id", "name", "teacher_ids"],
        properties: {
          _id: { bsonType: ["int", "long"] },
          name: { bsonType: "string", maxLength: 120 },
          teacher_ids: { bsonType: "array", maxItems: 20, items: { bsonType: ["int", "long"] } },
        },
      },
    },
    validationLevel: "strict",
    validationAction: "error",
  });
}
database.getCollection("students").createIndex({ teacher_ids: 1 }, { name: "teacher_ids_1" });

// teachers: Teacher
if (!existing.has("teachers")) {
  database.createCollection("teachers", {
    validator: {
      $jsonSchema: {
        bsonType: "object",
        required: ["_id", "name"],
        properties: { _id: { bsonType: ["int", "long"] }, name: { bsonType: "string", maxLength: 120 } },
      },
    },
    validationLevel: "strict",
    validationAction: "error",
  });
}
