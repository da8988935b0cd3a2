// Runs the scripts of a JSON list as the shell of MongoDB would, and prints what each asked of the server.
const vm = require("node:vm");

const plain = (value) => {
  if (value instanceof Map || Object.prototype.toString.call(value) === "[object Map]")
    return { document: [...value].map(([key, inner]) => [key, plain(inner)]) };
  if (Array.isArray(value)) return { list: value.map(plain) };
  if (value && value.called) return value;
  if (value && typeof value === "object")
    return { document: Object.keys(value).map((key) => [key, plain(value[key])]) };
  return value;
};

const run = (script) => {
  const asked = [];
  const told = (name) => (...given) => { asked.push([name, ...given.map(plain)]); };
  const collection = (name) => ({ createIndex: (...given) => told("createIndex")(name, ...given) });
  const database = { runCommand: told("runCommand"), getCollectionNames: () => [], createCollection: told("createCollection"), getCollection: collection };
  const db = {
    runCommand: told("runCommand"),
    dropDatabase: told("dropDatabase"),
    getSiblingDB: (name) => { told("use")(name); return database; },
  };
  const named = (name) => (value) => ({ called: name, value });
  vm.runInNewContext(script, {
    db, sh: { shardCollection: told("shardCollection") },
    NumberLong: named("NumberLong"), NumberDecimal: named("NumberDecimal"), ISODate: named("ISODate"), ObjectId: named("ObjectId"),
  });
  return asked;
};

let text = "";
process.stdin.on("data", (part) => (text += part));
process.stdin.on("end", () => process.stdout.write(JSON.stringify(JSON.parse(text).map(run))));
