// alter collection "posts"
db.runCommand({
  collMod: "posts",
  validator: {
    $jsonSchema: {
      bsonType: "object",
      properties: {
        _id: { bsonType: "string" },
        author_id: { bsonType: "string" },
        body: { bsonType: "string" },
        comment_count: { bsonType: ["int", "long"] },
        comments: {
          bsonType: "array",
          items: {
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
