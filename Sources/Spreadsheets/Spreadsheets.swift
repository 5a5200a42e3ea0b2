// Writes cells, styles and pictures as workbooks. It uses libxlsxwriter and knows Excel's limits,
// and nothing of exports or reports.
//
// Workbooks for all stages that write them: the one safe wrapper of libxlsxwriter (`Workbook`), the
// texts and names that it accepts (`LibraryText`, `SheetNames`), and dates as the serial numbers of
// cells (`ExcelDate`).
