// alter collection "teachers"
db.runCommand({
  collMod: "teachers",
  validator: {
    $jsonSchema: {
      bsonType: "object",
      properties: { _id: { bsonType: ["int", "long"] }, name: { bsonType: "string", maxLength: 120 } },
      required: ["_id", "name"],
    },
  },
  validationLevel: "strict",
  validationAction: "error",
});
