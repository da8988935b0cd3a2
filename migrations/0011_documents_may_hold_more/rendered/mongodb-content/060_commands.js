// alter collection "countries"
db.runCommand({
  collMod: "countries",
  validator: {
    $jsonSchema: {
      bsonType: "object",
      properties: {
        _id: { bsonType: "string", maxLength: 2 },
        capital: {
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
