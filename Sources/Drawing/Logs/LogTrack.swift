internal import Blocks
internal import Canvas
internal import Model

/// Marks at their depths in a column beside a log's strip: samples, tests. A bar shows the interval
/// of each mark, and a label describes it.
extension LogContent.Track {
    /// The width for the longest word of the title and the labels, in points.
    func width(_ style: DrawingStyle, _ typesetter: Typesetter) -> Double {
        func widest(_ text: String, _ factor: Double) -> Double {
            text.split(whereSeparator: \.isWhitespace).map {
                TextLayout(String($0), style.text(factor, .bold), typesetter: typesetter).width
            }.max() ?? 0
        }
        let labels =
            Set(marks.map(\.label)).map {
                TextLayout($0, style.text(DrawingStyle.least / style.textSize, .bold), typesetter: typesetter).width
            }.max() ?? 0
        return min(max(26, widest(label, 0.85) + 5, labels + Self.side + 3), 48)
    }

    /// The width of the bars and of the lines to the labels.
    private static let side = 9.0

    /// The marks whose middle is within a range of depths, from the top.
    private func marks(in range: ClosedRange<Double>, isLast: Bool) -> [DepthMark] {
        marks.filter { mark in
            let middle = (mark.top + mark.bottom) / 2
            return middle >= range.lowerBound && (middle < range.upperBound || isLast)
        }.sorted { ($0.top, $0.bottom, $0.label) < ($1.top, $1.bottom, $1.label) }
    }

    /// A mark's label. For a mark below the strip it includes the depths as text.
    private func label(_ mark: DepthMark, below end: Double, _ style: DrawingStyle) -> String {
        guard mark.top >= end, mark.bottom > end else { return mark.label }
        return "\(style.number(mark.top, decimals: 2))–\(style.number(mark.bottom, decimals: 2)) \(mark.label)"
    }

    private func layout(_ label: String, _ style: DrawingStyle, width: Double, _ typesetter: Typesetter) -> TextLayout {
        TextLayout(
            label, style.text(DrawingStyle.least / style.textSize, .bold, colour: style.accent),
            width: width - Self.side - 2, maximumLines: 5, typesetter: typesetter)
    }

    /// The height for the labels of a page, in points.
    func height(
        in range: ClosedRange<Double>, isLast: Bool, width: Double, _ style: DrawingStyle, _ typesetter: Typesetter
    ) -> Double {
        marks(in: range, isLast: isLast).reduce(0) {
            $0 + layout(label($1, below: range.upperBound, style), style, width: width, typesetter).height + 0.5
        }
    }

    /// - Parameters:
    ///   - column: the part of the track's column beside the strip.
    ///   - body: the area of the page's rows. Labels that do not fit beside their marks may be
    ///     below the strip, but never above the ground.
    func draw(on canvas: Canvas, _ scale: DepthScale, in column: Box, _ body: Box, isLast: Bool) {
        let style = scale.style
        let range = scale.from...scale.to
        for mark in marks {
            let (top, bottom) = (max(mark.top, range.lowerBound), min(mark.bottom, range.upperBound))
            guard bottom >= top else { continue }
            let y = scale.y(top, in: column)
            canvas.rectangle(
                Box(x: column.right - 5.5, y: y, width: 4, height: max(1.2, scale.y(bottom, in: column) - y)))
            canvas.fill(style.accent)
        }
        var own = marks(in: range, isLast: isLast)
        var layouts = own.map {
            layout(label($0, below: range.upperBound, style), style, width: column.width, canvas.typesetter)
        }
        // If not all labels fit on the page, the last label is the number of the omitted ones, as
        // `+3`.
        while layouts.reduce(0, { $0 + $1.height + 0.5 }) > body.bottom - column.y, own.count > 1 {
            own.removeLast()
            layouts.removeLast()
            let rest = marks(in: range, isLast: isLast).count - own.count + 1
            layouts[layouts.count - 1] = layout("+\(rest)", style, width: column.width, canvas.typesetter)
        }
        let targets = own.map {
            scale.y(min(max(($0.top + $0.bottom) / 2, range.lowerBound), range.upperBound), in: column)
        }
        guard
            let centres = Spread.centres(
                targets: targets, sizes: layouts.map { $0.height + 0.5 }, from: column.y, to: body.bottom)
        else { return }
        for (index, layout) in layouts.enumerated() {
            canvas.segment(
                Point(x: column.right - 5.5, y: targets[index]), Point(x: column.right - 8, y: centres[index]))
            canvas.stroke(style.accent, width: 0.4)
            canvas.draw(
                layout, at: Point(x: column.right - Self.side - layout.width, y: centres[index] - layout.height / 2))
        }
    }
}

/// Places items along a line as near as possible to their targets, without overlaps.
enum Spread {
    /// The starts of items of given sizes, in order, with the least sum of squared moves. The
    /// algorithm is known as pool adjacent violators.
    /// - Parameter targets: the preferred start of each item.
    /// - Returns: nil when the items do not fit between the bounds.
    static func starts(targets: [Double], sizes: [Double], from low: Double, to high: Double) -> [Double]? {
        let total = sizes.reduce(0, +)
        guard total <= high - low + 1e-6 else { return nil }
        // If the sizes of all earlier items are subtracted, each start need only be at least the
        // start before it. A run of decreasing starts is replaced by its mean.
        var blocks: [(mean: Double, count: Int)] = []
        var before = 0.0
        for (target, size) in zip(targets, sizes) {
            var block = (mean: target - before, count: 1)
            while let last = blocks.last, last.mean > block.mean {
                let count = last.count + block.count
                block = ((last.mean * Double(last.count) + block.mean * Double(block.count)) / Double(count), count)
                blocks.removeLast()
            }
            blocks.append(block)
            before += size
        }
        var starts: [Double] = []
        before = 0
        for block in blocks {
            for _ in 0..<block.count {
                starts.append(max(low, min(block.mean, high - total)) + before)
                before += sizes[starts.count - 1]
            }
        }
        return starts
    }

    /// The centres of items of given sizes, as near as possible to the preferred centres.
    static func centres(targets: [Double], sizes: [Double], from low: Double, to high: Double) -> [Double]? {
        starts(targets: zip(targets, sizes).map { $0 - $1 / 2 }, sizes: sizes, from: low, to: high).map { starts in
            zip(starts, sizes).map { $0 + $1 / 2 }
        }
    }
}
