// alter collection "people"
db.runCommand({
  collMod: "people",
  validator: {
    $jsonSchema: {
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
