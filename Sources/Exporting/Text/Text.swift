// Text: what every format must know about the bytes of a text before it writes them. Which bytes
// need a second look (`ByteClasses`), which are no character that a file may have (`UTF8Sequence`,
// `ByteBuffer.appendClean`), which texts a spreadsheet would run (`FormulaText`), and the office's
// local time of an instant in UTC (`OfficeTime`).
//
// Bulk text is bytes from the replica to the file: most cells are looked at once and copied once.
