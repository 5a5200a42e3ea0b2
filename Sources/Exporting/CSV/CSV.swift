// CSV: one file for each sheet (RFC 4180, UTF-8, CRLF), beside one that says what the export is; or all of them in one archive.
// `CSVWriter` opens files and rows, `CSVFormatter` turns batches into bytes, `CSVStyle` says what the dialects differ in.
