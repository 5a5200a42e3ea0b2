// Draws strata, plans, profiles and charts as lines, text and hatches on a canvas: the content of
// blocks as it is (`DrawnContent`). The folder knows neither pages and sheets nor packs.
