// Into Schemas come a JSON Schema and values; out of it come what is wrong with each value, and
// where. It knows draft 2020-12, and nothing of families or records.
//
// Schemas: JSON Schema, draft 2020-12, compiled once and judged by many times.
//
// - `SchemaProgram.compile` makes a flat program of a schema, or says with places what is wrong
//   with it (`SchemaMistake`).
// - `SchemaMachine` holds values against a program, within bounds of work and depth, and gives
//   `SchemaFault`s.
// - `SchemaExtras` is what a family's schema says beside the standard; `JSONWrapping` knows the
//   field app's values.
// - `DecimalNumber` compares numbers as they were written.
