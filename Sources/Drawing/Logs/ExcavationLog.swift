package import Blocks
package import Canvas
package import Model

/// The body of an excavation's record (ficha): depth scale, strata to scale, and the data of each
/// stratum in columns beside it.
///
/// The columns to scale (elevations, depths, samples and tests, symbol) are first. Lines in a
/// gutter connect each stratum to its row, and the rows' columns follow. Rows are as tall as their
/// texts, and as near to their strata as possible.
package struct ExcavationLog {
    package struct Column: Sendable, Hashable {
        package var title: String
        /// The minimum width in points, for codes and numbers; nil: a text, which fills the width
        /// left by the other columns.
        package var width: Double?
        package var isCentred: Bool
        package var isBold: Bool

        package init(_ title: String, width: Double? = nil, isCentred: Bool = false, isBold: Bool = false) {
            self.title = title
            self.width = width
            self.isCentred = isCentred
            self.isBold = isBold
        }
    }

    package enum Scale: Sendable, Hashable {
        /// A scale of 1 to the ratio.
        case ratio(Double)
        /// The largest scale at which the log fits on one page.
        case fitted
        /// The largest round scale at which the log fits on one page.
        case round
    }

    /// The titles and remarks, in the reader's language.
    package struct Words: Sendable, Hashable {
        package var depth = ""
        package var symbol = ""
        package var elevation = ""
        package var water = ""
        /// Marks a stratum that began on an earlier page.
        package var continued = ""
        /// The text of a log without strata.
        package var nothing = ""
        /// The text below the last stratum.
        package var end = ""

        package init() {}
    }

    package var strata: [Stratum]
    /// For each stratum, one text for each of the columns.
    package var cells: [[String]]
    package var columns: [Column]
    /// The indexes of strata that represent an interval of depth in which nothing was logged.
    package var unlogged: Set<Int> = []
    /// The indexes of strata whose depths contradict those of other strata.
    package var faulty: Set<Int> = []
    package var tracks: [LogContent.Track] = []
    package var depth: Double
    package var water: Double?
    /// The elevation of the ground in metres; nil: unknown.
    package var elevation: Double?
    package var scale = Scale.round
    package var words: Words
    package var style = DrawingStyle()
    /// The smallest letters in points; texts that need smaller ones continue on another page.
    package var minimumTextSize = DrawingStyle.least

    package init(strata: [Stratum], cells: [[String]], columns: [Column], depth: Double, words: Words) {
        self.strata = strata
        self.cells = cells
        self.columns = columns
        self.depth = depth
        self.words = words
    }

    /// The length of the strip, in metres.
    var length: Double { max(depth.isFinite ? depth : 0, strata.map(\.bottom).filter(\.isFinite).max() ?? 0, 0.05) }
}

extension LogContent: DrawnContent {
    package static var usualSize: (width: Double, height: Double) { (186, 180) }
    package var millimetres: Double? { nil }

    /// Draws the whole log. A log that is too large for the box is scaled down.
    package func draw(on canvas: Canvas, in box: Box, _ setting: DrawingSetting) {
        var drawing = drawing(setting)
        drawing.scale = .fitted
        var height = box.height
        var pages = drawing.pages(width: box.width, height: height, typesetter: canvas.typesetter)
        while pages.count > 1, height < box.height * 16 {
            height *= 1.5
            pages = drawing.pages(
                width: box.width * height / box.height, height: height, typesetter: canvas.typesetter)
        }
        let scale = box.height / height
        canvas.inGroup {
            canvas.translate(x: box.x, y: box.y)
            canvas.scale(x: scale, y: scale)
            pages.first?.draw(on: canvas, in: Box(x: 0, y: 0, width: box.width / scale, height: height))
        }
    }

    package func figure(_ setting: DrawingSetting) -> String {
        let layers = layers.map { layer in
            let cells = layer.cells.map(\.text).filter { !$0.isEmpty }
            return "\(setting.depths(layer.stratum)): " + ([layer.description] + cells).joined(separator: ", ")
        }
        return setting.figure("log", (layers.isEmpty ? [empty] : layers) + setting.water(water))
    }

    /// The drawing, for pages. The template's columns follow those with number, depths and
    /// description. Neighbouring columns with the same title (`under`) become one column, with a
    /// line for each.
    package func drawing(_ setting: DrawingSetting) -> ExcavationLog {
        let (words, style) = (setting.words, setting.style)
        let content = marked(words)
        let groups = content.columns.indices.reduce(into: [[Int]]()) { groups, index in
            let under = content.columns[index].under
            if under != nil, let last = groups.last?.last, content.columns[last].under == under {
                groups[groups.count - 1].append(index)
            } else {
                groups.append([index])
            }
        }
        let columns =
            [
                ExcavationLog.Column(words("stratum"), width: 20, isCentred: true),
                ExcavationLog.Column(words("description"), width: nil),
            ]
            + groups.map { group in
                let column = content.columns[group[0]]
                // A column's share refers to the width that a page leaves for the template's
                // columns.
                let width = column.width.map { min(max(20, $0 * 300), 160) } ?? 16
                return ExcavationLog.Column(column.under ?? column.label, width: width, isCentred: true)
            }
        let cells = content.layers.map { layer in
            let depths =
                "\(style.number(layer.stratum.top, decimals: 2))–\(style.number(layer.stratum.bottom, decimals: 2))"
            return [layer.number.isEmpty ? depths : "\(layer.number)\n\(depths)", layer.description]
                + groups.map { content.text(of: layer, $0) }
        }
        var names = ExcavationLog.Words()
        names.depth = words("depth")
        names.elevation = words("elevation_short")
        names.symbol = words("symbol")
        names.water = setting.waterLabel(water)
        names.continued = words("continued")
        names.nothing = empty
        names.end = content.ending(words, setting.metres)
        var log = ExcavationLog(
            strata: content.layers.map(\.stratum), cells: cells, columns: columns, depth: content.depth, words: names)
        log.water = water
        log.elevation = elevation
        log.style = style
        log.unlogged = Set(content.layers.indices.filter { content.layers[$0].isGap })
        log.faulty = Set(content.layers.indices.filter { content.layers[$0].isFaulty })
        log.tracks = tracks
        return log
    }

    /// The text of a group of columns drawn as one: a line for each cell, with the column's label
    /// before a number.
    private func text(of layer: Layer, _ group: [Int]) -> String {
        guard let first = group.first, columns[first].under != nil else {
            return group.first.map { layer.cells[$0].text } ?? ""
        }
        return group.filter { !layer.cells[$0].isEmpty }.map { index in
            // The title shows the unit, so the label is cut before it. A number needs its label,
            // even in a column of codes such as `NP`; a code needs none.
            let cell = layer.cells[index]
            let label =
                columns[index].isNumeric || Double(cell.text) != nil
                ? columns[index].label.prefix { $0 != "(" }.trimmed : ""
            return label.isEmpty ? cell.text : "\(label) \(cell.text)"
        }.joined(separator: "\n")
    }
}

extension Substring {
    /// The text without blanks at its end.
    fileprivate var trimmed: Substring {
        var text = self
        while text.last == " " { text.removeLast() }
        return text
    }
}
