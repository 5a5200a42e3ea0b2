// CSV: one file for each sheet (RFC 4180, UTF-8, CRLF), and one file that describes the export; or
// all of these in one ZIP archive. `CSVWriter` opens files and rows, `CSVFormatter` formats batches
// as bytes, and `CSVStyle` contains the differences between the dialects.
