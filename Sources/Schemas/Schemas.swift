// Checks values against a JSON Schema and returns the faults of each value, with their places. It
// implements draft 2020-12, and knows nothing of families or records.
//
// - `SchemaProgram.compile` makes a flat program from a schema, or reports its mistakes with their
//   places (`SchemaMistake`).
// - `SchemaMachine` checks values against a program, within limits of work and depth, and reports
//   `SchemaFault`s.
// - `SchemaExtras` contains a family's keywords beyond the standard; `JSONWrapping` handles the
//   field app's values.
// - `DecimalNumber` compares numbers as written.
