// alter collection "comment_pages"
db.runCommand({
  collMod: "comment_pages",
  validator: {
    $jsonSchema: {
      bsonType: "object",
      properties: {
        _id: { bsonType: "string" },
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
