// SQLReading reads statements that define tables, and returns their declarations as values. It
// knows the keywords of SQLite and PostgreSQL, and executes nothing.
//
// - `SQLTokens` splits a text into words, names, texts, numbers and signs
// - `TableDefinition` is one table: columns, keys, references, checks
// - `DatabaseDefinition` is the declarations of a whole text
// - `DefinitionReader` reads the statements
