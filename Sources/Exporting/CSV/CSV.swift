// CSV: one file for each sheet (RFC 4180, UTF-8, CRLF), and one about the export; or all of them in
// one archive. `CSVWriter` opens files and rows, `CSVFormatter` formats batches as bytes, and
// `CSVStyle` contains the differences between the dialects.
