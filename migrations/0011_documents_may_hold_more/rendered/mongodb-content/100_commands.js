// alter collection "students"
db.runCommand({
  collMod: "students",
  validator: {
    $jsonSchema: {
      bsonType: "object",
      properties: {
        _id: { bsonType: ["int", "long"] },
        name: { bsonType: "string", maxLength: 120 },
        teacher_ids: { bsonType: "array", items: { bsonType: ["int", "long"] }, maxItems: 20 },
      },
      required: ["_id", "name", "teacher_ids"],
    },
  },
  validationLevel: "strict",
  validationAction: "error",
});
