// Into Schemas come a JSON Schema and values; out of it come what is wrong with each value, and
// where. It knows draft 2020-12, and nothing of families or records.
//
// - `SchemaProgram.compile` makes a flat program of a schema, or reports its mistakes with their
//   places (`SchemaMistake`).
// - `SchemaMachine` checks values against a program, within bounds of work and depth, and reports
//   `SchemaFault`s.
// - `SchemaExtras` is what a family's schema states besides the standard; `JSONWrapping` handles
//   the field app's values.
// - `DecimalNumber` compares numbers as they were written.
