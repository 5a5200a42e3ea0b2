// Into Reporting come sections of finished content; out of it come documents as PDF and Excel. It
// knows pages and sheets, and neither SQL nor templates.
//
// Sections of finished content (`Blocks`) → documents for people.
//
//  PDF/         sections → pages: each block's content says how it lies on them (`PageDrawn`)
//  XLSX/        the same sections → sheets: `SheetPlan` decides a section's columns, `SheetPen` goes from top to bottom over them, each
//               block's content draws itself with it (`SheetDrawn`), `WorkbookDraft` keeps what waits for the last section (links to
//               sheets to come, figures of charts)
//  Drawings/    drawings of content, for both and by themselves
//
// Sections come one after the other, and no renderer keeps one: a document of a thousand pits takes
// the memory of one.
