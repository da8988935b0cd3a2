// Collections and indexes of the MongoDB database "reporting", written by `keywright compile`.
// mongosh "<connection string>" --file reporting.js
// Creates missing objects and does not change existing ones; running it again does nothing.

const database = db.getSiblingDB("reporting");
const existing = new Set(database.getCollectionNames());

// orders: reported_order
if (!existing.has("orders")) {
  database.createCollection("orders", {
    validator: {
      $jsonSchema: {
        bsonType: "object",
        required: ["_id", "lines", "placed_at", "status", "total", "user_id", "user_name"],
        properties: {
          _id: { bsonType: "string" },
          user_id: { bsonType: "string" },
          user_name: { bsonType: "string" },
          placed_at: { bsonType: "date" },
          status: { bsonType: "string", enum: ["placed", "paid", "shipped", "delivered", "cancelled"] },
          lines: {
            bsonType: "array",
            minItems: 1,
            maxItems: 100,
            items: {
              bsonType: "object",
              required: ["amount", "category", "name", "quantity", "sku"],
              properties: {
                sku: { bsonType: "string" },
                name: { bsonType: "string", maxLength: 120 },
                category: { bsonType: "string", maxLength: 40 },
                quantity: { bsonType: "int", minimum: 1, maximum: 999 },
                amount: { bsonType: "decimal" },
              },
            },
          },
          total: { bsonType: "decimal" },
        },
      },
    },
    validationLevel: "strict",
    validationAction: "error",
  });
}
database.getCollection("orders").createIndex(
  { placed_at: 1 },
  {
    name: "placed_at_1",
    partialFilterExpression: { status: { $in: ["placed", "paid", "shipped", "delivered"] } },
  },
);
database.getCollection("orders").createIndex(
  { user_id: 1, placed_at: -1 },
  { name: "user_id_1_placed_at_-1" },
);
