// Text: checks of a text's bytes, shared by all formats. `ByteClasses` finds bytes that cannot be
// copied unchanged; `UTF8Sequence` and `ByteBuffer.appendClean` replace characters that no file may
// contain. `FormulaText` finds texts that a spreadsheet would run as formulas; `OfficeTime`
// converts an instant in UTC to the office's local time.
//
// A cell's text is never converted to a `String` between the replica and the file: most texts are
// read once and copied once.
