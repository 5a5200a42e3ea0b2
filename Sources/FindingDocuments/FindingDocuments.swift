// Writes findings, and the rows that they concern, as documents for people and programs. It knows
// each document's form, and neither how findings are made nor where rows are stored.
//
// - `FindingDocument`  the whole document, of the kind that its file's ending selects
// - `FindingListing`   text for a terminal or a log; `FindingJSON` (with `FindingSchema`, its JSON
//   Schema) and `FindingSARIF` for programs
// - `Page/`            one page of HTML with charts and the strata that findings are about
// - `Workbook/`        a workbook: summary, list, and copies of the tables with their findings
