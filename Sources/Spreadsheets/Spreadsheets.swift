// Into Spreadsheets come cells, styles and pictures; out of it come a workbook. It knows
// libxlsxwriter and what Excel takes, and nothing of exports or reports.
//
// Workbooks for all stages that write them: the one safe wrapper of libxlsxwriter (`Workbook`), the
// texts and names that it accepts (`LibraryText`, `SheetNames`), and dates as the serial numbers of
// cells (`ExcelDate`).
