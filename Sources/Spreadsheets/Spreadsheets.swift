// Writes cells, styles and pictures as workbooks. The code uses libxlsxwriter and knows Excel's
// limits, and nothing of exports or reports.
//
// `Workbook` is the only wrapper of libxlsxwriter. `LibraryText` and `SheetNames` make texts and
// names that the library accepts, and `ExcelDate` makes the serial numbers of dates.
