// XML: one file for an export, streamed through libxml2's output buffer, and the schema that every
// such file follows.
//
// `XMLWriter` writes the head, the cover and the sheets; `XMLFormatter` turns batches of rows into
// elements; `XMLOutput` is the safe wrapper of libxml2; `XMLSchema` makes the XSD from a pack.
// `XMLType` and `XMLName` are shared by writer and schema.
//
// A value that does not fit its column's type (wrong data under the policy `mark`) is written as
// `<end_date xsi:nil="true" raw="2025-02-30"/>`. Readers get a missing value of the declared type,
// and nothing is lost.
