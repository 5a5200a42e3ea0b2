// Into SQLReading comes the text of statements that define tables; out of it come values that say
// what those statements declare. Nothing is ever run.
//
// - `SQLTokens` cuts a text into words, names, texts, numbers and signs
// - `TableDefinition` is one table: columns, keys, references, checks
// - `DatabaseDefinition` is what a whole text declares
// - `DefinitionReader` reads the statements
