// Collections and indexes of the MongoDB database "dev_shop", written by `keywright compile`.
// mongosh "<connection string>" --file shop.js
// Creates missing objects and does not change existing ones; running it again does nothing.

const database = db.getSiblingDB("dev_shop");
const existing = new Set(database.getCollectionNames());

// orders: Thing
if (!existing.has("orders")) {
  database.createCollection("orders", {
    validator: {
      $jsonSchema: {
        bsonType: "object",
        required: ["_id", "notes", "number", "placed_at", "status", "title", "user_id"],
        properties: {
          _id: { bsonType: "string" },
          user_id: { bsonType: "string" },
          number: { bsonType: "long", minimum: NumberLong("1099511627776") },
          title: { bsonType: "string", maxLength: 80, pattern: "^\"\\w" },
          notes: { bsonType: "array", items: { bsonType: "string" } },
          placed_at: { bsonType: "date" },
          status: { bsonType: "string", enum: ["placed", "paid", "shipped"] },
        },
      },
    },
    validationLevel: "strict",
    validationAction: "error",
    changeStreamPreAndPostImages: { enabled: true },
  });
}
database.getCollection("orders").createIndex(
  { _id: 1, number: 1 },
  {
    name: "_id_1_number_1",
    unique: true,
    partialFilterExpression: { status: { $in: ["placed", "paid"] }, placed_at: { $exists: true } },
  },
);
database.getCollection("orders").createIndex(
  { notes: "text", title: "text" },
  { name: "notes_text_title_text", weights: { notes: 1, title: 5 }, default_language: "english" },
);
database.getCollection("orders").createIndex(
  { placed_at: 1 },
  { name: "placed_at_1", expireAfterSeconds: 7776000 },
);
database.getCollection("orders").createIndex(
  { user_id: 1, placed_at: -1 },
  { name: "user_id_1_placed_at_-1" },
);
sh.shardCollection("dev_shop.orders", { _id: "hashed" });
