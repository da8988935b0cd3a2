// create collection "sensor_hours"
db.runCommand({
  create: "sensor_hours",
  validator: {
    $jsonSchema: {
      additionalProperties: false,
      bsonType: "object",
      properties: {
        _id: { bsonType: "string" },
        count: { bsonType: ["int", "long"] },
        high: { bsonType: "double" },
        low: { bsonType: "double" },
        minutes: {
          bsonType: "array",
          items: {
            additionalProperties: false,
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

// create index "sensor_id_1_start_-1" of collection "sensor_hours"
db.runCommand({
  createIndexes: "sensor_hours",
  indexes: [{ name: "sensor_id_1_start_-1", key: { sensor_id: 1, start: -1 } }],
});

// create index "start_1" of collection "sensor_hours"
db.runCommand({
  createIndexes: "sensor_hours",
  indexes: [{ name: "start_1", key: { start: 1 }, expireAfterSeconds: 7776000 }],
});
