// refuse new duplicates in index "mail_1" of collection "readers"
db.runCommand({ collMod: "readers", index: { name: "mail_1", prepareUnique: true } });

// make index "mail_1" of collection "readers" unique
db.runCommand({ collMod: "readers", index: { name: "mail_1", unique: true } });
