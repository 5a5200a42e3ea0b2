// Into Reporting come the template of a report and the rows of its queries; out of it come
// documents as PDF and Excel. It knows blocks, pages and sheets, and no SQL.
//
// Report templates → documents for people.
//
//  Assembling/  a template's blocks and the rows of its queries → sections of finished content
//  (`Document/`) PDF/         sections → pages XLSX/        the same sections → sheets: `SheetPlan`
//  decides a section's columns, `SheetPen` draws its blocks from top to bottom over
//               them, `WorkbookDraft` keeps what waits for the last section (links to sheets to
//               come, figures of charts)
//
// Sections come one after the other, and no renderer keeps one: a document of a thousand pits takes
// the memory of one.
