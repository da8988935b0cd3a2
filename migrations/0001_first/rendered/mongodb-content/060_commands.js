// create collection "authors"
db.runCommand({
  create: "authors",
  validator: {
    $jsonSchema: {
      additionalProperties: false,
      bsonType: "object",
      properties: { _id: { bsonType: "string" }, name: { bsonType: "string", maxLength: 120 } },
      required: ["_id", "name"],
    },
  },
  validationLevel: "strict",
  validationAction: "error",
});

// create collection "books"
db.runCommand({
  create: "books",
  validator: {
    $jsonSchema: {
      additionalProperties: false,
      bsonType: "object",
      properties: {
        _id: { bsonType: "string", maxLength: 13 },
        author_ids: { bsonType: "array", items: { bsonType: "string" }, maxItems: 20 },
        title: { bsonType: "string", maxLength: 300 },
      },
      required: ["_id", "title", "author_ids"],
    },
  },
  validationLevel: "strict",
  validationAction: "error",
});

// create index "author_ids_1" of collection "books"
db.runCommand({ createIndexes: "books", indexes: [{ name: "author_ids_1", key: { author_ids: 1 } }] });

// create collection "categories"
db.runCommand({
  create: "categories",
  validator: {
    $jsonSchema: {
      additionalProperties: false,
      bsonType: "object",
      properties: {
        _id: { bsonType: ["int", "long"] },
        ancestors: { bsonType: "array", items: { bsonType: ["int", "long"] }, maxItems: 8 },
        name: { bsonType: "string", maxLength: 80 },
      },
      required: ["_id", "name"],
    },
  },
  validationLevel: "strict",
  validationAction: "error",
});

// create index "ancestors_1" of collection "categories"
db.runCommand({ createIndexes: "categories", indexes: [{ name: "ancestors_1", key: { ancestors: 1 } }] });

// create collection "cities"
db.runCommand({
  create: "cities",
  validator: {
    $jsonSchema: {
      additionalProperties: false,
      bsonType: "object",
      properties: {
        _id: { bsonType: "string" },
        name: { bsonType: "string", maxLength: 100 },
        place: {
          additionalProperties: false,
          bsonType: "object",
          properties: {
            coordinates: { bsonType: "array", items: { bsonType: "double" }, maxItems: 2, minItems: 2 },
            type: { bsonType: "string", enum: ["Point"] },
          },
          required: ["coordinates"],
        },
      },
      required: ["_id", "name", "place"],
    },
  },
  validationLevel: "strict",
  validationAction: "error",
});

// create index "place_2dsphere" of collection "cities"
db.runCommand({ createIndexes: "cities", indexes: [{ name: "place_2dsphere", key: { place: "2dsphere" } }] });

// create collection "comment_pages"
db.runCommand({
  create: "comment_pages",
  validator: {
    $jsonSchema: {
      additionalProperties: false,
      bsonType: "object",
      properties: {
        _id: { bsonType: "string" },
        comments: {
          bsonType: "array",
          items: {
            additionalProperties: false,
            bsonType: "object",
            properties: {
              author: { bsonType: "string", maxLength: 80 },
              created_at: { bsonType: "date" },
              text: { bsonType: "string" },
            },
            required: ["author", "text", "created_at"],
          },
          maxItems: 1000,
        },
        page: { bsonType: ["int", "long"] },
        post_id: { bsonType: "string" },
      },
      required: ["post_id", "page", "comments"],
    },
  },
  validationLevel: "strict",
  validationAction: "error",
});

// create index "post_id_1_page_1" of collection "comment_pages"
db.runCommand({
  createIndexes: "comment_pages",
  indexes: [{ name: "post_id_1_page_1", key: { post_id: 1, page: 1 }, unique: true }],
});

// create collection "countries"
db.runCommand({
  create: "countries",
  validator: {
    $jsonSchema: {
      additionalProperties: false,
      bsonType: "object",
      properties: {
        _id: { bsonType: "string", maxLength: 2 },
        capital: {
          additionalProperties: false,
          bsonType: "object",
          properties: {
            name: { bsonType: "string", maxLength: 100 },
            population: { bsonType: ["int", "long"] },
          },
          required: ["name", "population"],
        },
        name: { bsonType: "string", maxLength: 100 },
      },
      required: ["_id", "name", "capital"],
    },
  },
  validationLevel: "strict",
  validationAction: "error",
});

// create collection "people"
db.runCommand({
  create: "people",
  validator: {
    $jsonSchema: {
      additionalProperties: false,
      bsonType: "object",
      properties: {
        _id: { bsonType: "string" },
        city_id: { bsonType: "string" },
        name: { bsonType: "string", maxLength: 120 },
      },
      required: ["_id", "city_id", "name"],
    },
  },
  validationLevel: "strict",
  validationAction: "error",
});

// create index "city_id_1_name_1" of collection "people"
db.runCommand({
  createIndexes: "people",
  indexes: [{ name: "city_id_1_name_1", key: { city_id: 1, name: 1 } }],
});

// create collection "posts"
db.runCommand({
  create: "posts",
  validator: {
    $jsonSchema: {
      additionalProperties: false,
      bsonType: "object",
      properties: {
        _id: { bsonType: "string" },
        author_id: { bsonType: "string" },
        body: { bsonType: "string" },
        comment_count: { bsonType: ["int", "long"] },
        comments: {
          bsonType: "array",
          items: {
            additionalProperties: false,
            bsonType: "object",
            properties: {
              author: { bsonType: "string", maxLength: 80 },
              created_at: { bsonType: "date" },
              text: { bsonType: "string" },
            },
            required: ["author", "text", "created_at"],
          },
          maxItems: 50,
        },
        created_at: { bsonType: "date" },
        has_more_comments: { bsonType: "bool" },
        published: { bsonType: "bool" },
        slug: { bsonType: "string", maxLength: 120 },
        tags: { bsonType: "array", items: { bsonType: "string" }, maxItems: 20 },
        title: { bsonType: "string", maxLength: 200 },
      },
      required: ["_id", "author_id", "slug", "title", "body", "created_at"],
    },
  },
  validationLevel: "strict",
  validationAction: "error",
});

// create index "author_id_1_created_at_-1" of collection "posts"
db.runCommand({
  createIndexes: "posts",
  indexes: [{ name: "author_id_1_created_at_-1", key: { author_id: 1, created_at: -1 } }],
});

// create index "slug_1" of collection "posts"
db.runCommand({
  createIndexes: "posts",
  indexes: [{ name: "slug_1", key: { slug: 1 }, unique: true, partialFilterExpression: { published: true } }],
});

// create index "tags_1" of collection "posts"
db.runCommand({ createIndexes: "posts", indexes: [{ name: "tags_1", key: { tags: 1 } }] });

// create index "title_text_body_text" of collection "posts"
db.runCommand({
  createIndexes: "posts",
  indexes: [
    {
      name: "title_text_body_text",
      key: { body: "text", title: "text" },
      weights: { body: 1, title: 5 },
      default_language: "english",
    },
  ],
});

// create collection "readers"
db.runCommand({
  create: "readers",
  validator: {
    $jsonSchema: {
      additionalProperties: false,
      bsonType: "object",
      properties: {
        _id: { bsonType: "string" },
        full_name: { bsonType: "string", maxLength: 120 },
        mail: { bsonType: "string" },
      },
      required: ["_id", "mail", "full_name"],
    },
  },
  validationLevel: "strict",
  validationAction: "error",
});

// create index "mail_1" of collection "readers"
db.runCommand({ createIndexes: "readers", indexes: [{ name: "mail_1", key: { mail: 1 } }] });

// create collection "students"
db.runCommand({
  create: "students",
  validator: {
    $jsonSchema: {
      additionalProperties: false,
      bsonType: "object",
      properties: {
        _id: { bsonType: ["int", "long"] },
        name: { bsonType: "string", maxLength: 120 },
        teacher_ids: { bsonType: "array", items: { bsonType: ["int", "long"] }, maxItems: 20 },
      },
      required: ["_id", "name", "teacher_ids"],
    },
  },
  validationLevel: "strict",
  validationAction: "error",
});

// create index "teacher_ids_1" of collection "students"
db.runCommand({ createIndexes: "students", indexes: [{ name: "teacher_ids_1", key: { teacher_ids: 1 } }] });

// create collection "teachers"
db.runCommand({
  create: "teachers",
  validator: {
    $jsonSchema: {
      additionalProperties: false,
      bsonType: "object",
      properties: { _id: { bsonType: ["int", "long"] }, name: { bsonType: "string", maxLength: 120 } },
      required: ["_id", "name"],
    },
  },
  validationLevel: "strict",
  validationAction: "error",
});
