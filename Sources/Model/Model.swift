// Into Model come values that a stage has made; out of it come the same values for the next stage:
// these are the words that all share. It knows no stage, no file format and no database.
//
// - `Pack/`     what a pack says: entities, fields, vocabularies, roles, records, rules, exports,
//   jobs, texts, expressions
// - `Rows/`     how bulk rows move: batches of cells as numbers and UTF-8 bytes
// - `Findings/` what is wrong with data, as values; the catalogue of codes
// - `Run/`      who runs what, when, in which language; selections; failures with their exit codes
// - `Export/`   sheets, columns and cover as every writer takes them
