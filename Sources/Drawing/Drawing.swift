// Draws strata, plans, profiles and charts as lines, text and hatches on a canvas. The folder knows
// engineering drawings, and nothing of packs or reports.
