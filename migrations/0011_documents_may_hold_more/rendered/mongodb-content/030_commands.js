// alter collection "categories"
db.runCommand({
  collMod: "categories",
  validator: {
    $jsonSchema: {
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
