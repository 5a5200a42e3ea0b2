// Into Drawing come values of strata, plans, profiles and charts; out of it come lines, text and
// hatches on a canvas. It knows what engineers draw, and nothing of packs or reports.
