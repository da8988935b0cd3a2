// alter collection "cities"
db.runCommand({
  collMod: "cities",
  validator: {
    $jsonSchema: {
      bsonType: "object",
      properties: {
        _id: { bsonType: "string" },
        name: { bsonType: "string", maxLength: 100 },
        place: {
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
