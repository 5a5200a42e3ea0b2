// Into Blocks come the template of a report and the rows of its queries; out of it come sections
// with everything in them, ready to be drawn. It knows neither pages and sheets nor where rows come
// from.
//
//  Kinds/       one file a block: its keys, how it is read, what it makes of rows
//  Values/      rows of queries, and values as people read them
//  Assembling/  a template's sections, in order, each for the rows it is made for
//  Document/    the result: sections, and the head that every page bears
