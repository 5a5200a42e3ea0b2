// Writes findings, and the rows that they concern, as documents. The code knows each document's
// format, but not how findings are made or where rows are stored.
//
// - `FindingDocument`  the whole document, of the kind that its file's ending selects
// - `FindingListing`   text for a terminal or a log; `FindingJSON` (with `FindingSchema`, its JSON
//   Schema) and `FindingSARIF` for programs
// - `Page/`            one HTML page with charts, and pictures of the strata with findings
// - `Workbook/`        a workbook: summary, list, and copies of the tables with their findings
