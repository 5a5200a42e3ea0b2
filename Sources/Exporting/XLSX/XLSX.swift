// Workbooks. libxlsxwriter makes a workbook in which every data sheet has a header and one row of
// blank cells (`PatternWorkbook`). `XLSXWriter` copies all its parts except the data sheets. Into
// these, `RowFormatter` writes the rows as XML, between the pattern sheet's head and tail. ECMA-376
// part 1, section 18, defines the bytes.
