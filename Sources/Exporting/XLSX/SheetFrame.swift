import OutputFiles
import Spreadsheets

/// The XML before and after the rows of a pattern sheet, and the style indexes of its pattern row.
struct SheetFrame: Equatable {
    /// Up to the end of the header row.
    let head: [UInt8]
    /// From `</sheetData>` on.
    let tail: [UInt8]
    /// One for each column.
    let styles: [Int]

    init(head: [UInt8], tail: [UInt8], styles: [Int]) {
        self.head = head
        self.tail = tail
        self.styles = styles
    }

    init(_ xml: [UInt8], columns: Int) throws(OutputFailure) {
        // The library's own strings are escaped, so these marks can only be the markup.
        guard let pattern = xml.firstIndex(of: "<row r=\"2\"", from: 0), let end = xml.firstIndex(of: "</sheetData>", from: pattern)
        else { throw Self.failure("no pattern row") }
        head = Array(xml[..<pattern])
        tail = Array(xml[end...])
        var styles: [Int] = []
        var position = pattern
        for column in 0..<columns {
            let mark = "<c r=\"\(CellReference.letters(column))2\" s=\""
            guard let cell = xml.firstIndex(of: mark, from: position), cell < end else { throw Self.failure("no style for column \(column)") }
            position = cell + mark.utf8.count
            var style = 0
            while position < end, case let digit = xml[position] &- UInt8(ascii: "0"), digit < 10 {
                style = style * 10 + Int(digit)
                position += 1
            }
            styles.append(style)
        }
        self.styles = styles
    }

    private static func failure(_ reason: String) -> OutputFailure {
        .library(name: "libxlsxwriter", reason: "pattern sheet: " + reason)
    }
}

extension [UInt8] {
    fileprivate func firstIndex(of text: String, from start: Int) -> Int? {
        let wanted = Array(text.utf8)
        guard let first = wanted.first else { return nil }
        var index = start
        while index + wanted.count <= count {
            if self[index] == first, self[index..<(index + wanted.count)].elementsEqual(wanted) { return index }
            index += 1
        }
        return nil
    }
}
