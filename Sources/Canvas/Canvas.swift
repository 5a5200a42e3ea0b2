// Draws lines, text and pictures in points, and makes pages as PDF, SVG and PNG. The folder uses
// cairo, Pango and libjpeg-turbo, and knows nothing of records, packs or reports.

internal import CCairo
import PDFArchive

/// A surface to draw on: a page of a PDF, an SVG or a PNG picture. Points (1/72 in), y downwards,
/// from the upper left corner.
///
/// When cairo refuses an operation the whole page fails, and its document throws at its end. A
/// canvas must be used from one thread at a time.
@safe package final class Canvas {
    enum Kind { case pdf, svg, image }

    package enum Cap: Sendable { case butt, round, square }

    package let width: Double
    package let height: Double
    package let typesetter: Typesetter
    /// Receives every drawn text.
    package var recorder: TextRecorder?
    let kind: Kind
    let context: OpaquePointer
    /// The record of a PDF page's structure, links and named places; nil for SVG and PNG.
    let page: PageRecord?
    /// The structure element that contains the current drawing.
    var element: StructureElement?
    /// Whether marked content, a part of the structure, was begun in cairo and not yet ended.
    var isMarked = false
    /// Tiles that a PDF stores once.
    let tiles: TileCache?

    init(
        surface: OpaquePointer?, kind: Kind, width: Double, height: Double, typesetter: Typesetter,
        page: PageRecord? = nil,
        tiles: TileCache? = nil
    ) {
        self.tiles = tiles
        unsafe context = cairo_create(surface)
        self.kind = kind
        self.width = width
        self.height = height
        self.typesetter = typesetter
        self.page = page
    }

    deinit { unsafe cairo_destroy(context) }

    package var box: Box { Box(x: 0, y: 0, width: width, height: height) }

    func check() throws(CanvasFailure) { try CanvasFailure.check(unsafe cairo_status(context)) }

    // MARK: State

    /// Limits translations, rotations and clips made in the body to the body's drawing.
    package func inGroup<Failure: Error>(_ body: () throws(Failure) -> Void) throws(Failure) {
        unsafe cairo_save(context)
        defer { unsafe cairo_restore(context) }
        try body()
    }

    package func translate(x: Double, y: Double) { unsafe cairo_translate(context, x, y) }
    package func scale(x: Double, y: Double) { unsafe cairo_scale(context, x, y) }
    /// Rotates clockwise, in radians.
    package func rotate(_ angle: Double) { unsafe cairo_rotate(context, angle) }

    package func clip(_ box: Box) {
        unsafe cairo_new_path(context)
        rectangle(box)
        unsafe cairo_clip(context)
    }

    // MARK: Paths

    package func newPath() { unsafe cairo_new_path(context) }
    package func move(to point: Point) { unsafe cairo_move_to(context, point.x, point.y) }
    package func line(to point: Point) { unsafe cairo_line_to(context, point.x, point.y) }
    package func close() { unsafe cairo_close_path(context) }

    package func curve(to point: Point, _ first: Point, _ second: Point) {
        unsafe cairo_curve_to(context, first.x, first.y, second.x, second.y, point.x, point.y)
    }

    /// Adds an arc, clockwise from one angle to the other, in radians from the x axis, connected to
    /// the path so far.
    package func arc(centre: Point, radius: Double, from start: Double, to end: Double) {
        unsafe cairo_arc(context, centre.x, centre.y, radius, start, end)
    }

    package func circle(_ centre: Point, radius: Double) {
        unsafe cairo_new_sub_path(context)
        arc(centre: centre, radius: radius, from: 0, to: 2 * .pi)
        close()
    }

    package func rectangle(_ box: Box) { unsafe cairo_rectangle(context, box.x, box.y, box.width, box.height) }

    package func polygon(_ points: [Point]) {
        guard !points.isEmpty else { return }
        polyline(points)
        close()
    }

    package func polyline(_ points: [Point]) {
        guard let first = points.first else { return }
        move(to: first)
        points.dropFirst().forEach(line(to:))
    }

    package func segment(_ start: Point, _ end: Point) {
        move(to: start)
        line(to: end)
    }

    /// Draws along the path. A line of zero length with round caps is a dot.
    package func stroke(_ colour: Colour, width: Double, dash: [Double] = [], cap: Cap = .butt, keepsPath: Bool = false)
    {
        set(colour)
        unsafe cairo_set_line_width(context, width)
        unsafe cairo_set_line_cap(
            context, cap == .butt ? CAIRO_LINE_CAP_BUTT : cap == .round ? CAIRO_LINE_CAP_ROUND : CAIRO_LINE_CAP_SQUARE)
        unsafe cairo_set_line_join(context, cap == .round ? CAIRO_LINE_JOIN_ROUND : CAIRO_LINE_JOIN_MITER)
        unsafe cairo_set_dash(context, dash, Int32(dash.count), 0)
        if keepsPath { unsafe cairo_stroke_preserve(context) } else { unsafe cairo_stroke(context) }
    }

    package func fill(_ colour: Colour, isEvenOdd: Bool = false, keepsPath: Bool = false) {
        set(colour)
        unsafe cairo_set_fill_rule(context, isEvenOdd ? CAIRO_FILL_RULE_EVEN_ODD : CAIRO_FILL_RULE_WINDING)
        if keepsPath { unsafe cairo_fill_preserve(context) } else { unsafe cairo_fill(context) }
    }

    /// Fills the path with a tile whose cells are on a grid through `phase`: neighbouring areas
    /// with the same phase continue each other.
    package func fill(_ tile: Tile, phase: Point = Point(x: 0, y: 0), keepsPath: Bool = false) {
        if let pattern = unsafe tiles?.pattern(tile, typesetter: typesetter) {
            var matrix = cairo_matrix_t()
            unsafe cairo_matrix_init_translate(&matrix, -phase.x, -phase.y)
            unsafe cairo_pattern_set_matrix(pattern, &matrix)
            unsafe cairo_set_source(context, pattern)
            unsafe cairo_set_fill_rule(context, CAIRO_FILL_RULE_WINDING)
            if keepsPath { unsafe cairo_fill_preserve(context) } else { unsafe cairo_fill(context) }
            unsafe cairo_pattern_destroy(pattern)
            return
        }
        var (left, top, right, bottom) = (0.0, 0.0, 0.0, 0.0)
        unsafe cairo_fill_extents(context, &left, &top, &right, &bottom)
        let path = unsafe keepsPath ? cairo_copy_path(context) : nil
        inGroup {
            unsafe cairo_set_fill_rule(context, CAIRO_FILL_RULE_WINDING)
            unsafe cairo_clip(context)
            let columns = cells(from: left - phase.x, to: right - phase.x, size: tile.width)
            let rows = cells(from: top - phase.y, to: bottom - phase.y, size: tile.height)
            for layer in tile.layers {
                unsafe cairo_new_path(context)
                for row in rows {
                    for column in columns {
                        // cairo preserves the path after the group.
                        inGroup {
                            translate(x: phase.x + Double(column) * tile.width, y: phase.y + Double(row) * tile.height)
                            layer.path(self)
                        }
                    }
                }
                layer.paint(self)
            }
        }
        unsafe cairo_new_path(context)
        if let path = unsafe path {
            unsafe cairo_append_path(context, path)
            unsafe cairo_path_destroy(path)
        }
    }

    private func cells(from start: Double, to end: Double, size: Double) -> Range<Int> {
        guard end > start, size > 0, (end - start) / size < 10_000 else { return 0..<0 }
        return Int((start / size).rounded(.down))..<Int((end / size).rounded(.up))
    }

    func set(_ colour: Colour) { unsafe cairo_set_source_rgb(context, colour.red, colour.green, colour.blue) }

    /// The position of a point on the page, after all translations and rotations.
    package func onPage(_ point: Point) -> Point {
        var (x, y) = (point.x, point.y)
        unsafe cairo_user_to_device(context, &x, &y)
        return Point(x: x, y: y)
    }

    package func onPage(_ box: Box) -> Box {
        let corners = [
            Point(x: box.x, y: box.y), Point(x: box.right, y: box.y), Point(x: box.x, y: box.bottom),
            Point(x: box.right, y: box.bottom),
        ]
        return Box(around: corners.map { onPage($0) }) ?? box
    }
}
