// Workbooks. libxlsxwriter makes a whole package in which every data sheet has a header and one
// pattern row (PatternWorkbook). The final package is a copy of every part, except the data sheets:
// their rows are streamed as bytes between the pattern's head and tail (XLSXWriter, RowFormatter).
// ECMA-376 part 1, section 18, defines the bytes.
