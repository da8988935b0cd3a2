// alter collection "books"
db.runCommand({
  collMod: "books",
  validator: {
    $jsonSchema: {
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
