// hide index "mail_1" of collection "readers"
db.runCommand({ collMod: "readers", index: { name: "mail_1", hidden: true } });

// drop index "mail_1" of collection "readers"
db.runCommand({ dropIndexes: "readers", index: "mail_1" });
