internal import CCairo

/// A text broken into lines and measured, ready to be drawn as a whole or in part. It is plain
/// text: nothing in it is markup.
///
/// It belongs to the thread of its typesetter.
@safe package final class TextLayout {
    package enum Ellipsis: Sendable { case none, end, middle }

    package struct Line: Sendable, Hashable {
        /// From the layout's upper left corner.
        package let baseline: Double
        /// The space that the line takes up, spacing included: lines stack without overlapping.
        package let box: Box
    }

    /// What the typesetter has set; equal texts share it.
    private let made: SetText

    package let style: TextStyle
    package var text: String { made.text }
    /// Width of the widest line; not the width that was given.
    package var width: Double { made.width }
    package var height: Double { made.height }
    package var lines: [Line] { made.lines }
    /// Whether text was left out for lack of room.
    package var isEllipsized: Bool { made.isEllipsized }
    var layout: OpaquePointer { unsafe made.layout }

    /// - Parameters:
    ///   - width: where lines break, in points; nil for a line per paragraph. Longer words break
    ///     within.
    ///   - maximumLines: the rest is left out, with an ellipsis; nil for as many as needed.
    package init(
        _ text: String, _ style: TextStyle, width: Double? = nil, maximumLines: Int? = nil, ellipsis: Ellipsis = .none,
        typesetter: Typesetter
    ) {
        self.style = style
        made = typesetter.set(SetText.Key(text: text, style: style, width: width, maximumLines: maximumLines, ellipsis: ellipsis))
    }

    /// Height of a range of lines.
    package func height(of range: Range<Int>) -> Double {
        guard !range.isEmpty else { return 0 }
        return lines[range.upperBound - 1].box.bottom - lines[range.lowerBound].box.y
    }

    /// How many lines from `first` on fit into a height.
    package func count(fitting height: Double, from first: Int = 0) -> Int {
        var count = 0
        while first + count < lines.count, self.height(of: first..<first + count + 1) <= height + 0.001 { count += 1 }
        return count
    }
}
