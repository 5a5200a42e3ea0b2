// Into SQLReading come statements that define tables; out of it come values that say what they
// declare. It knows the words of SQLite and PostgreSQL, and runs nothing.
//
// - `SQLTokens` cuts a text into words, names, texts, numbers and signs
// - `TableDefinition` is one table: columns, keys, references, checks
// - `DatabaseDefinition` is what a whole text declares
// - `DefinitionReader` reads the statements
