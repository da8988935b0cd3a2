// alter collection "sensor_hours"
db.runCommand({
  collMod: "sensor_hours",
  validator: {
    $jsonSchema: {
      bsonType: "object",
      properties: {
        _id: { bsonType: "string" },
        count: { bsonType: ["int", "long"] },
        high: { bsonType: "double" },
        low: { bsonType: "double" },
        minutes: {
          bsonType: "array",
          items: {
            bsonType: "object",
            properties: { at: { bsonType: "date" }, temperature: { bsonType: "double" } },
            required: ["at", "temperature"],
          },
          maxItems: 60,
        },
        sensor_id: { bsonType: "string" },
        start: { bsonType: "date" },
        total: { bsonType: "double" },
      },
      required: ["sensor_id", "start", "minutes", "count", "low", "high", "total"],
    },
  },
  validationLevel: "strict",
  validationAction: "error",
});
