// create time series "readings"
db.runCommand({
  create: "readings",
  timeseries: { timeField: "at", metaField: "sensor_id", granularity: "minutes" },
  expireAfterSeconds: 7776000,
});

// create index "sensor_id_1_at_1" of collection "readings"
db.runCommand({
  createIndexes: "readings",
  indexes: [{ name: "sensor_id_1_at_1", key: { sensor_id: 1, at: 1 } }],
});
