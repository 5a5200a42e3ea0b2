// Text: what every format must know about the bytes of a text before it writes them. `ByteClasses`
// says which bytes need a second look, `UTF8Sequence` and `ByteBuffer.appendClean` which are no
// character that a file may have. `FormulaText` knows the texts that a spreadsheet would run,
// `OfficeTime` the office's local time of an instant in UTC.
//
// Bulk text is bytes from the replica to the file: most cells are looked at once and copied once.
