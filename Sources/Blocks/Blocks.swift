// Makes a report's sections, ready to be drawn, from its template and the rows of its queries. The
// folder knows neither pages and sheets nor the source of rows.
//
// - `Kinds/`       one file for each block: its keys, how it is read, its content made from rows
// - `Values/`      query rows, and values formatted for display
// - `Assembling/`  a template's sections, in order, each for its rows
// - `Document/`    the result: sections, and the common head of all pages
