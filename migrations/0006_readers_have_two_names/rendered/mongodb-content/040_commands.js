// create index "email_1" of collection "readers"
db.runCommand({
  createIndexes: "readers",
  indexes: [{ name: "email_1", key: { email: 1 }, collation: { locale: "en", strength: 2 } }],
});
