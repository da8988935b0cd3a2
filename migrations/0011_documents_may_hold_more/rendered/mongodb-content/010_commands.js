// alter collection "authors"
db.runCommand({
  collMod: "authors",
  validator: {
    $jsonSchema: {
      bsonType: "object",
      properties: { _id: { bsonType: "string" }, name: { bsonType: "string", maxLength: 120 } },
      required: ["_id", "name"],
    },
  },
  validationLevel: "strict",
  validationAction: "error",
});
