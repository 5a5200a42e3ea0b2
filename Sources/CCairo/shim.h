#include <cairo.h>
#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <pango/pangocairo.h>

// Cast macros that Swift does not see.
static inline void fichero_pango_set_resolution(PangoFontMap *map, double dpi) {
    pango_cairo_font_map_set_resolution(PANGO_CAIRO_FONT_MAP(map), dpi);
}
