// Into FindingDocuments come findings and the rows that they are about; out of it come documents
// for people and programs. It knows each document's form, and neither how findings are made nor
// where rows are kept.
//
// - `FindingDocument`  the whole document of any kind, as the ending of its file asks
// - `FindingListing`   text for a terminal or a log; `FindingJSON` (with `FindingSchema`, its JSON
//   Schema) and `FindingSARIF` for programs
// - `Page/`            one page of HTML with charts and the strata that findings are about
// - `Workbook/`        a workbook: summary, list, and copies of the tables with their findings
