// Turns sections of finished content into PDF and Excel documents. The folder handles pages and
// sheets, and knows neither SQL nor templates.
//
// The work is divided as follows:
//
// - `PDF/`: lays out sections on pages. Each block's content lays itself out (`PageDrawn`).
// - `XLSX/`: lays out the same sections on sheets. `SheetPlan` chooses a section's columns.
//   `SheetPen` fills them from top to bottom, and each block's content draws itself with it
//   (`SheetDrawable`). `WorkbookDraft` stores what must wait for the last section: links to later
//   sheets, and the figures of charts.
// - `Drawings/`: makes drawings of content, for both and as single files.
//
// Sections arrive one after the other, and a renderer stores each only as long as needed.
