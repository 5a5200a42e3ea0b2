// Into Spreadsheets come cells, styles and pictures; out of it come a workbook. It knows
// libxlsxwriter and what Excel takes, and nothing of exports or reports.
//
// Workbooks for every stage that writes some: the one safe wrapper of libxlsxwriter (`Workbook`),
// the texts and names it can take (`LibraryText`, `SheetNames`), and dates as the serial numbers of
// cells (`ExcelDate`).
