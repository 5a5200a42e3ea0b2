/// Names of cells and ranges in A1 form.
package enum CellReference {
    /// The letters of a column, counted from zero: `A`, `Z`, `AA`, `XFD`.
    package static func letters(_ column: Int) -> String {
        var rest = column + 1
        var letters: [UInt8] = []
        while rest > 0 {
            rest -= 1
            letters.append(UInt8(ascii: "A") + UInt8(rest % 26))
            rest /= 26
        }
        return String(decoding: letters.reversed(), as: UTF8.self)
    }

    /// Row and column counted from zero.
    package static func cell(row: Int, column: Int) -> String { letters(column) + String(row + 1) }
}
