// Text: the checks that every format makes on the bytes of a text before it writes them.
// `ByteClasses` finds bytes that need care; `UTF8Sequence` and `ByteBuffer.appendClean` replace
// those that no file may have. `FormulaText` finds texts that a spreadsheet would run; `OfficeTime`
// converts an instant in UTC to the office's local time.
//
// Bulk text stays bytes from the replica to the file: most cells are read once and copied once.
