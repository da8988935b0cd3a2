// create collection "remembered_devices"
db.runCommand({
  create: "remembered_devices",
  validator: {
    $jsonSchema: {
      additionalProperties: false,
      bsonType: "object",
      properties: {
        _id: { bsonType: "string" },
        expires_at: { bsonType: "date" },
        seen_at: { bsonType: "date" },
        user_id: { bsonType: "string" },
      },
      required: ["_id", "user_id", "seen_at", "expires_at"],
    },
  },
  validationLevel: "strict",
  validationAction: "error",
});

// create index "expires_at_1" of collection "remembered_devices"
db.runCommand({
  createIndexes: "remembered_devices",
  indexes: [{ name: "expires_at_1", key: { expires_at: 1 }, expireAfterSeconds: 0 }],
});

// create index "user_id_1_seen_at_-1" of collection "remembered_devices"
db.runCommand({
  createIndexes: "remembered_devices",
  indexes: [{ name: "user_id_1_seen_at_-1", key: { user_id: 1, seen_at: -1 } }],
});
