// Collections and indexes of the MongoDB database "plant", written by `keywright compile`.
// mongosh "<connection string>" --file plant.js
// Creates missing objects and does not change existing ones; running it again does nothing.

const database = db.getSiblingDB("plant");
const existing = new Set(database.getCollectionNames());

// readings: Reading
if (!existing.has("readings")) {
  database.createCollection("readings", {
    timeseries: { timeField: "at", metaField: "sensor_id", granularity: "minutes" },
    expireAfterSeconds: 7776000,
  });
}
database.getCollection("readings").createIndex({ sensor_id: 1, at: 1 }, { name: "sensor_id_1_at_1" });

// sensor_hours: SensorHour
if (!existing.has("sensor_hours")) {
  database.createCollection("sensor_hours", {
    validator: {
      $jsonSchema: {
        bsonType: "object",
        required: ["count", "high", "low", "minutes", "sensor_id", "start", "total"],
        properties: {
          _id: { bsonType: "string" },
          sensor_id: { bsonType: "string" },
          start: { bsonType: "date" },
          minutes: {
            bsonType: "array",
            maxItems: 60,
            items: {
              bsonType: "object",
              required: ["at", "temperature"],
              properties: { at: { bsonType: "date" }, temperature: { bsonType: "double" } },
            },
          },
          count: { bsonType: ["int", "long"] },
          low: { bsonType: "double" },
          high: { bsonType: "double" },
          total: { bsonType: "double" },
        },
      },
    },
    validationLevel: "strict",
    validationAction: "error",
  });
}
database.getCollection("sensor_hours").createIndex(
  { sensor_id: 1, start: -1 },
  { name: "sensor_id_1_start_-1" },
);
database.getCollection("sensor_hours").createIndex(
  { start: 1 },
  { name: "start_1", expireAfterSeconds: 7776000 },
);
