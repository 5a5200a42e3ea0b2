// XML: one file for an export, streamed through libxml2's output buffer, and the schema (XSD) of
// these files.
//
// `XMLWriter` writes the head, the cover and the sheets; `XMLFormatter` turns batches of rows into
// elements; `XMLOutput` is the safe wrapper of libxml2; `XMLSchema` makes the XSD from a pack.
// `XMLType` and `XMLName` are shared by writer and schema.
//
// A value that does not fit its column's type is written as `<end_date xsi:nil="true"
// raw="2025-02-30"/>`. Such wrong data is exported only under the findings policy `mark`. Readers
// get a null of the declared type, and the attribute keeps the value.
