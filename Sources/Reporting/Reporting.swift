// Into Reporting come sections of finished content; out of it come documents as PDF and Excel. It
// knows pages and sheets, and neither SQL nor templates.
//
// The work is divided so:
//
// - `PDF/`: lays out sections on pages. Each block's content does so itself (`PageDrawn`).
// - `XLSX/`: lays out the same sections on sheets. `SheetPlan` chooses a section's columns.
//   `SheetPen` fills them from top to bottom, and each block's content draws itself with it
//   (`SheetDrawn`). `WorkbookDraft` keeps what must wait for the last section: links to later
//   sheets, and the figures of charts.
// - `Drawings/`: makes drawings of content, for both and as single files.
//
// Sections come one after the other, and a renderer keeps none longer than its file needs.
