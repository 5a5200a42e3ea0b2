import CXLSXWriter
import Counting
package import OutputFiles

/// Counts the cells that are passed to a workbook; if a cell is written twice, only its last
/// content counts.
struct SentCells {
    /// Whether rows are written in order, so that only the current row need be stored.
    var isStreaming = false
    private var counted = WrittenWorkbook()
    private var open: [Sheet] = []

    private struct Sheet {
        var row = 0
        /// Number of UTF-8 bytes of each cell's text, by row and column. A sheet has at most 2¹⁴
        /// columns.
        var cells: [Int: Int] = [:]
    }

    mutating func addSheet() {
        open.append(Sheet())
        counted.sheets.append(WrittenWorkbook.Sheet())
    }

    /// Counts a cell with this text; without a text, a cell with a number or only a style.
    mutating func put(_ sheet: Workbook.SheetID, _ row: Int, _ column: Int, _ text: String = "") {
        if isStreaming, row != open[sheet.index].row {
            count(sheet.index)
            open[sheet.index].row = row
        }
        open[sheet.index].cells[row << 14 | column] = text.utf8.count
    }

    mutating func putComment(_ text: String) {
        counted.comments.cells += 1
        counted.comments.textBytes += text.utf8.count
    }

    mutating func putPicture() { counted.pictures += 1 }

    mutating func putChart() { counted.charts += 1 }

    private mutating func count(_ sheet: Int) {
        counted.sheets[sheet].cells += open[sheet].cells.count
        counted.sheets[sheet].textBytes += open[sheet].cells.values.reduce(0, +)
        open[sheet].cells.removeAll(keepingCapacity: isStreaming)
    }

    /// The counts of all cells that were sent.
    mutating func total() -> WrittenWorkbook {
        for sheet in open.indices { count(sheet) }
        return counted
    }
}

extension Workbook {
    /// The position of a picture: the cell of its upper left corner, the offset within that cell,
    /// and the size; all in pixels at 96 per inch, the library's unit.
    package struct Placement {
        package var row: Int
        package var column: Int
        package var x: Double
        package var y: Double
        package var width: Double
        package var height: Double
        /// Whether the picture is resized with its cells, or only moves with them.
        package var growsWithCells: Bool

        package init(
            row: Int, column: Int, x: Double = 0, y: Double = 0, width: Double, height: Double,
            growsWithCells: Bool = false
        ) {
            self.row = row
            self.column = column
            self.x = x
            self.y = y
            self.width = width
            self.height = height
            self.growsWithCells = growsWithCells
        }
    }

    /// Inserts a picture of the store over cells. `description` is the alternative text.
    package mutating func insert(
        _ picture: PictureStore.Picture, _ sheet: SheetID, at place: Placement, description: String,
        link: LinkAddress? = nil
    ) throws(OutputFailure) {
        let pointer = unsafe sheets[sheet.index].pointer
        let stand = picture.stand
        var strings = [LibraryText(description, limit: 250, isOneLine: true).string]
        if let link { strings.append(link.text) }
        let result = unsafe withCStrings(strings) { strings in
            var options = unsafe lxw_image_options()
            unsafe options.x_offset = Int32(place.x.rounded())
            unsafe options.y_offset = Int32(place.y.rounded())
            unsafe options.x_scale = place.width / Double(picture.width)
            unsafe options.y_scale = place.height / Double(picture.height)
            unsafe options.object_position = UInt8(
                (place.growsWithCells ? LXW_OBJECT_MOVE_AND_SIZE : LXW_OBJECT_MOVE_DONT_SIZE).rawValue)
            unsafe options.description = strings[0]
            if unsafe strings.count > 1 { unsafe options.url = strings[1] }
            return unsafe stand.withUnsafeBufferPointer { bytes in
                unsafe worksheet_insert_image_buffer_opt(
                    pointer, UInt32(place.row), UInt16(place.column), bytes.baseAddress, bytes.count, &options)
            }
        }
        try Self.check(result, "worksheet_insert_image_buffer_opt")
        sent.putPicture()
    }
}
