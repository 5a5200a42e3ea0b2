import CXLSXWriter
package import OutputFiles

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
        /// Whether it is resized with its cells; else it only moves with them.
        package var growsWithCells: Bool

        package init(row: Int, column: Int, x: Double = 0, y: Double = 0, width: Double, height: Double, growsWithCells: Bool = false) {
            self.row = row
            self.column = column
            self.x = x
            self.y = y
            self.width = width
            self.height = height
            self.growsWithCells = growsWithCells
        }
    }

    /// Inserts a picture of the store over cells. `description` is the text for people who cannot
    /// see it.
    package mutating func insert(
        _ picture: PictureStore.Picture, _ sheet: SheetID, at place: Placement, description: String, link: LinkAddress? = nil
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
            unsafe options.object_position = UInt8((place.growsWithCells ? LXW_OBJECT_MOVE_AND_SIZE : LXW_OBJECT_MOVE_DONT_SIZE).rawValue)
            unsafe options.description = strings[0]
            if unsafe strings.count > 1 { unsafe options.url = strings[1] }
            return unsafe stand.withUnsafeBufferPointer { bytes in
                unsafe worksheet_insert_image_buffer_opt(pointer, UInt32(place.row), UInt16(place.column), bytes.baseAddress, bytes.count, &options)
            }
        }
        try Self.check(result, "worksheet_insert_image_buffer_opt")
        sent.putPicture()
    }
}
