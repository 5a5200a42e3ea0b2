// Text: what every format needs to know about the bytes of a text before it writes them. Which bytes need a second look
// (`ByteClasses`), which stand for no character that a file may hold (`UTF8Sequence`, `ByteBuffer.appendClean`), which a
// spreadsheet would run (`FormulaText`), and how an instant in UTC reads on the office's clock (`OfficeTime`).
//
// Bulk text is bytes from the replica to the file: most cells are looked at once and copied once.
