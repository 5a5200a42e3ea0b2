// Workbooks. libxlsxwriter makes a whole package in which every data sheet has a header and one pattern row (PatternWorkbook);
// then the final package is put together: every part copied as it is, except the data sheets, whose rows are streamed as bytes
// between the pattern's head and tail (XLSXWriter, RowFormatter). ECMA-376 part 1, section 18, says what the bytes mean.
