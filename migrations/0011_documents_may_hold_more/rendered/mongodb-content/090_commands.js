// alter collection "readers"
db.runCommand({
  collMod: "readers",
  validator: {
    $jsonSchema: {
      bsonType: "object",
      properties: {
        _id: { bsonType: "string" },
        _kw_v: { bsonType: ["int", "long"], minimum: 1 },
        email: { bsonType: "string" },
        first_name: { bsonType: "string", maxLength: 60 },
        last_name: { bsonType: "string", maxLength: 60 },
        tier: { bsonType: "string", enum: ["free", "plus"] },
      },
      required: ["_id", "email", "first_name", "last_name"],
    },
  },
  validationLevel: "strict",
  validationAction: "error",
});
