// refuse new duplicates in index "email_1" of collection "readers"
db.runCommand({ collMod: "readers", index: { name: "email_1", prepareUnique: true } });

// make index "email_1" of collection "readers" unique
db.runCommand({ collMod: "readers", index: { name: "email_1", unique: true } });
