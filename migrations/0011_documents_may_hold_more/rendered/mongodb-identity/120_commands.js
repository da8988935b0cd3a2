// alter collection "remembered_devices"
db.runCommand({
  collMod: "remembered_devices",
  validator: {
    $jsonSchema: {
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
