// alter collection "orders"
db.runCommand({
  collMod: "orders",
  validator: {
    $jsonSchema: {
      bsonType: "object",
      properties: {
        _id: { bsonType: "string" },
        lines: {
          bsonType: "array",
          items: {
            bsonType: "object",
            properties: {
              amount: { bsonType: "decimal" },
              category: { bsonType: "string", maxLength: 40 },
              name: { bsonType: "string", maxLength: 120 },
              quantity: { bsonType: "int", maximum: 999, minimum: 1 },
              sku: { bsonType: "string" },
            },
            required: ["sku", "name", "category", "quantity", "amount"],
          },
          maxItems: 100,
          minItems: 1,
        },
        placed_at: { bsonType: "date" },
        status: { bsonType: "string", enum: ["placed", "paid", "shipped", "delivered", "cancelled"] },
        total: { bsonType: "decimal" },
        user_id: { bsonType: "string" },
        user_name: { bsonType: "string" },
      },
      required: ["user_id", "user_name", "_id", "placed_at", "status", "lines", "total"],
    },
  },
  validationLevel: "strict",
  validationAction: "error",
});
