// Collections and indexes of the MongoDB database "identity", written by `keywright compile`.
// mongosh "<connection string>" --file identity.js
// Creates missing objects and does not change existing ones; running it again does nothing.

const database = db.getSiblingDB("identity");
const existing = new Set(database.getCollectionNames());

// remembered_devices: RememberedDevice
if (!existing.has("remembered_devices")) {
  database.createCollection("remembered_devices", {
    validator: {
      $jsonSchema: {
        bsonType: "object",
        required: ["_id", "expires_at", "seen_at", "user_id"],
        properties: {
          _id: { bsonType: "string" },
          user_id: { bsonType: "string" },
          seen_at: { bsonType: "date" },
          expires_at: { bsonType: "date" },
        },
      },
    },
    validationLevel: "strict",
    validationAction: "error",
  });
}
database.getCollection("remembered_devices").createIndex(
  { expires_at: 1 },
  { name: "expires_at_1", expireAfterSeconds: 0 },
);
database.getCollection("remembered_devices").createIndex(
  { user_id: 1, seen_at: -1 },
  { name: "user_id_1_seen_at_-1" },
);
