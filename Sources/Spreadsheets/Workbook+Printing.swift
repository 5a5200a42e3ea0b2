import CXLSXWriter
package import OutputFiles

extension Workbook {
    /// The page setup of a sheet.
    package struct Page {
        package enum Scale {
            /// Scaled to the width of one page, with as many pages as necessary.
            case fitsWidth
            /// Percent, 10 to 400.
            case percent(Int)
        }

        /// A header or footer: a text on the left (perhaps of several lines), in the middle, on the
        /// right.
        package struct Line {
            package var left: String
            package var center: String
            package var right: String

            package init(left: String = "", center: String = "", right: String = "") {
                self.left = left
                self.center = center
                self.right = right
            }
        }

        /// Excel's number of the paper: 1 Letter, 8 A3, 9 A4.
        package var paper: Int
        package var isLandscape: Bool
        /// Millimetres on all sides.
        package var margin: Double
        package var scale: Scale
        /// Rows repeated at the top of every page.
        package var repeated: Range<Int>?
        package var header: Line
        /// `{page}` and `{pages}` are replaced by numbers.
        package var footer: Line

        package init(
            paper: Int, isLandscape: Bool, margin: Double, scale: Scale = .fitsWidth, repeated: Range<Int>? = nil,
            header: Line, footer: Line
        ) {
            self.paper = paper
            self.isLandscape = isLandscape
            self.margin = margin
            self.scale = scale
            self.repeated = repeated
            self.header = header
            self.footer = footer
        }
    }

    /// The space for three header lines and two footer lines, in addition to the margins.
    private static let headInches = 0.45
    private static let footInches = 0.35

    /// The space of header and footer together, in points.
    package static let headAndFoot = (headInches + footInches) * 72

    package mutating func setPage(_ sheet: SheetID, _ page: Page) throws(OutputFailure) {
        let pointer = unsafe sheets[sheet.index].pointer
        unsafe page.isLandscape ? worksheet_set_landscape(pointer) : worksheet_set_portrait(pointer)
        unsafe worksheet_set_paper(pointer, UInt8(clamping: page.paper))
        let inches = page.margin / 25.4
        // Header and footer are printed within the upper and lower margins.
        unsafe worksheet_set_margins(pointer, inches, inches, inches + Self.headInches, inches + Self.footInches)
        unsafe worksheet_center_horizontally(pointer)
        switch page.scale {
        case .fitsWidth: unsafe worksheet_fit_to_pages(pointer, 1, 0)
        case .percent(let percent):
            unsafe worksheet_set_print_scale(pointer, UInt16(clamping: min(max(percent, 10), 400)))
        }
        if let rows = page.repeated, let first = rows.first, let last = rows.last {
            try Self.check(unsafe worksheet_repeat_rows(pointer, UInt32(first), UInt32(last)), "worksheet_repeat_rows")
        }
        let header = Self.text(page.header)
        let footer = Self.text(page.footer)
        let gap = max(inches - 0.1, 0.2)
        try Self.check(
            unsafe withCStrings([header, footer]) { strings in
                var options = unsafe lxw_header_footer_options()
                unsafe options.margin = gap
                let result = unsafe worksheet_set_header_opt(pointer, strings[0], &options)
                guard result == LXW_NO_ERROR else { return result }
                return unsafe worksheet_set_footer_opt(pointer, strings[1], &options)
            }, "worksheet_set_header_opt")
    }

    /// Joins the three texts with Excel's header codes, in at most 255 characters.
    static func text(_ line: Page.Line) -> String {
        let parts = [("&L", line.left, 240), ("&C", line.center, 45), ("&R", line.right, 75)].filter { !$0.1.isEmpty }
        // The text is small and grey, so that it does not distract from the sheet.
        func joined(_ share: Int) -> String {
            parts.map { code, text, limit in
                code + "&8&K595959" + coded(LibraryText(text, limit: max(limit / share, 24)).string)
            }.joined()
        }
        // Doubled characters and escapes make the text longer, so shorter limits are tried until it
        // fits.
        return (1...4).lazy.map(joined).first { $0.utf16.count <= 255 } ?? ""
    }

    /// `&` begins a code, so it is doubled. Before a `G` it is replaced: the library would assume a
    /// picture, free the string and use it afterwards.
    private static func coded(_ text: String) -> String {
        text.replacing("&", with: "&&").replacing("&&G", with: "＆G").replacing("&&[", with: "＆[")
            .replacing("{page}", with: "&P").replacing("{pages}", with: "&N")
    }
}
