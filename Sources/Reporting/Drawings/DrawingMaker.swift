package import Blocks
import Canvas
package import Drawing
import Model

/// Makes drawings of content, shared by pages, sheets and single pictures.
package struct DrawingMaker: Sendable {
    let words: ReportWords
    let style: DrawingStyle

    package init(_ head: DocumentHead) {
        words = head.words
        var style = DrawingStyle()
        style.family = head.brand.font
        if let colour = Colour(hex: head.brand.primary) { style.accent = colour }
        style.decimalSeparator = head.language == .italian ? "," : "."
        self.style = style
    }

    /// The total depth: the recorded one, or the depth of the strata.
    private func depth(_ total: Double?, _ strata: [Stratum]) -> Double { total ?? strata.map(\.bottom).max() ?? 0 }

    private func metres(_ value: Double) -> String { style.number(value, decimals: 2) + " m" }

    package func strip(_ content: StripContent) -> StripDrawing {
        var drawing = StripDrawing(
            strata: content.strata, depth: depth(content.total, content.strata), emptyLabel: words("nothing_logged"))
        drawing.water = content.water
        drawing.waterLabel = content.water.map { words("water", ["depth": metres($0)]) } ?? ""
        drawing.style = style
        return drawing
    }

    /// The drawing of a log. The template's columns follow those with number, depths and
    /// description. Neighbouring columns with the same title (`under`) become one column, with a
    /// line for each.
    package func log(_ content: LogContent) -> ExcavationLog {
        let content = content.marked(words)
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
                + groups.map { text(of: layer, $0, content.columns) }
        }
        var log = ExcavationLog(
            strata: content.layers.map(\.stratum), cells: cells, columns: columns, depth: content.depth,
            words: logWords(content))
        log.water = content.water
        log.elevation = content.elevation
        log.style = style
        log.unlogged = Set(content.layers.indices.filter { content.layers[$0].isGap })
        log.faulty = Set(content.layers.indices.filter { content.layers[$0].isFaulty })
        log.tracks = content.tracks.map { track in LogTrack(track.label, track.marks) }
        return log
    }

    /// The text of a group of columns drawn as one: a line for each cell, with the column's label
    /// before a number.
    private func text(of layer: LogContent.Layer, _ group: [Int], _ columns: [LogContent.Column]) -> String {
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

    private func logWords(_ content: LogContent) -> ExcavationLog.Words {
        var log = ExcavationLog.Words()
        log.depth = words("depth")
        log.elevation = words("elevation_short")
        log.symbol = words("symbol")
        log.water = content.water.map { words("water", ["depth": metres($0)]) } ?? ""
        log.continued = words("continued")
        log.nothing = content.empty
        log.end = content.ending(words, metres)
        return log
    }

    package func profile(_ content: ProfileContent) -> ProfileDrawing {
        var names = ProfileDrawing.Words()
        names.elevation = words("elevation")
        names.depth = words("depth")
        names.chainage = words(content.isSection ? "distance" : "chainage")
        names.horizontal = words("horizontal")
        names.vertical = words("vertical")
        names.exaggeration = words("exaggeration")
        names.columns = words("columns_scale")
        names.ground = words("ground")
        names.contact = words("contact")
        names.water = words("water_line")
        names.absent = words("absent")
        names.noElevation = words("no_elevation")
        names.match = words("match_line")
        func band(_ pit: ProfileContent.Pit) -> [String] {
            let place = content.isSection ? [number(pit.chainage), number(pit.off)] : [style.chainage(pit.chainage)]
            return place + [number(pit.elevation), number(pit.depth), number(pit.water)] + pit.band
        }
        var drawing = ProfileDrawing(
            pits: content.pits.map { pit in
                .init(
                    code: pit.label, chainage: pit.chainage, elevation: pit.elevation, depth: pit.depth,
                    water: pit.water, strata: pit.strata, band: band(pit),
                    absence: pit.absence)
            }, words: names)
        drawing.bandTitles = (content.isSection ? [words("distance"), words("off_section")] : [words("chainage")])
            + [words("elevation_short"), words("depth"), words("water_depth")] + content.bandTitles
        drawing.horizontalRatio = content.horizontal
        drawing.verticalRatio = content.vertical
        drawing.showsContacts = content.joinsContacts
        drawing.isSection = content.isSection
        drawing.style = style
        for place in drawing.elevationsOffScale {
            drawing.pits[place].elevationFault = words(
                "elevation_off_scale", ["elevation": number(drawing.pits[place].elevation)])
        }
        for place in drawing.depthsOffScale {
            let deepest = max(content.pits[place].depth, content.pits[place].strata.map(\.bottom).max() ?? 0)
            drawing.pits[place].depthFault = words("depth_off_scale", ["depth": number(deepest)])
        }
        return drawing
    }

    private func number(_ metres: Double?) -> String { metres.map { style.number($0, decimals: 2) } ?? "–" }

    package func sketch(_ content: SketchContent) -> LocationSketch {
        LocationSketch(
            places: content.points.map { .init(label: $0.label, easting: $0.east, northing: $0.north) },
            emptyLabel: words("no_coordinates"),
            style: style)
    }

    package func plot(_ content: PlotContent) -> PlotDrawing {
        func range(_ limits: PlotContent.Limits?) -> ClosedRange<Double>? { limits.map { $0.low...$0.high } }
        func mark(_ position: Position, _ label: String = "") -> PlotDrawing.Mark {
            .init(x: position.x, y: position.y, label: label)
        }
        var across = PlotDrawing.Axis(content.x, limits: range(content.xLimits))
        across.isLogarithmic = content.isLogarithmic
        across.isReversed = content.isReversed
        var drawing = PlotDrawing(
            x: across, y: .init(content.y, limits: range(content.yLimits)),
            series: content.series.map { ($0.name, $0.marks.map { mark($0.position, $0.label) }) })
        drawing.title = content.title ?? ""
        drawing.isJoined = content.isJoined
        drawing.guides = content.guides.map {
            .init(points: $0.points.map { mark($0) }, label: $0.label, isDashed: $0.isDashed)
        }
        drawing.zones = content.zones.map { mark($0.at, $0.text) }
        drawing.emptyLabel = words("none")
        drawing.style = style
        return drawing
    }

    package func chart(_ content: ChartContent) -> ChartDrawing {
        let kind: ChartDrawing.Kind = switch content.kind {
        case .columns: .bars
        case .bars: .horizontalBars
        case .stacked: .stackedBars
        case .line: .line
        case .pie: .pie
        }
        var drawing = ChartDrawing(
            kind, title: content.title ?? "", categories: content.categories,
            series: content.series.map {
                .init($0.name, $0.values, ink: $0.ink.map { ($0.place, $0.tint.map { Colour($0) }) })
            })
        drawing.axisTitle = content.measure
        drawing.isReversed = content.isReversed
        drawing.emptyLabel = words("none")
        drawing.decimals = content.decimals ?? 0
        drawing.style = style
        return drawing
    }

    package func calendar(_ content: CalendarContent) -> CalendarDrawing {
        CalendarDrawing(
            content.grids.map { grid in
                let days = grid.days.map { row in
                    row.map { day in
                        day.map { day in
                            let grade = day.cell?.grade
                            return CalendarDrawing.Day(
                                number: day.number, text: day.cell?.text ?? "", grade: grade,
                                shade: grade.map(content.shade) ?? 0)
                        }
                    }
                }
                return CalendarDrawing.Grid(name: grid.name, heads: grid.heads, sides: grid.sides, days: days)
            }, style: style)
    }

    package func legend(_ content: CalendarContent, of calendar: CalendarDrawing) -> CalendarLegend {
        CalendarLegend(
            content.measure ?? "",
            content.legend(words).map { entry in
                .init(
                    label: entry.label,
                    sample: .init(
                        number: 0, text: entry.mark ?? "", grade: entry.grade,
                        shade: entry.grade.map(content.shade) ?? 0))
            }, of: calendar)
    }

    package func legend(_ symbols: [SymbolContent]) -> SoilLegend {
        SoilLegend(
            symbols.map { .init(symbol: $0.symbol, label: $0.saysNothingMore ? $0.symbol : "\($0.symbol) \($0.name)") },
            style: style)
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

extension LogContent {
    /// Depths are recorded in centimetres.
    private static let tolerance = 0.005

    /// The log with a separate layer for each part where nothing was logged, and with a remark on
    /// each layer whose depths contradict others.
    func marked(_ words: ReportWords) -> LogContent {
        guard !layers.isEmpty else { return self }
        func metres(_ depth: Double) -> String {
            let centimetres = Int((depth * 100).rounded())
            return "\(centimetres / 100)\(words("decimal_point"))\(centimetres % 100 / 10)\(centimetres % 10)"
        }
        func gap(_ from: Double, _ to: Double) -> Layer {
            Layer(
                stratum: Stratum(top: from, bottom: to, symbol: ""), number: "",
                description: words("gap", ["from": metres(from), "to": metres(to)]),
                cells: columns.map { _ in .empty }, isGap: true)
        }
        var marked = self
        marked.layers = []
        var depth = 0.0
        for var layer in layers {
            let (top, bottom) = (layer.stratum.top, layer.stratum.bottom)
            var faults: [String] = []
            if top > depth + Self.tolerance { marked.layers.append(gap(depth, top)) }
            if bottom <= top { faults.append(words("upside_down", ["from": metres(top), "to": metres(bottom)])) }
            if top < depth - Self.tolerance {
                faults.append(words("overlap", ["from": metres(top), "to": metres(min(depth, max(top, bottom)))]))
            }
            if let total, bottom > total + Self.tolerance {
                faults.append(words("below_end", ["depth": metres(total)]))
            }
            if !faults.isEmpty {
                layer.isFaulty = true
                layer.description = ([layer.description] + faults).filter { !$0.isEmpty }.joined(separator: "\n")
            }
            marked.layers.append(layer)
            depth = max(depth, bottom)
        }
        if let total, total > depth + Self.tolerance { marked.layers.append(gap(depth, total)) }
        return marked
    }

    /// The text below the last layer: the end of the excavation, and layers without depths.
    func ending(_ words: ReportWords, _ metres: (Double) -> String) -> String {
        let end = total.map { words("end", ["depth": metres($0)]) } ?? words("no_depth", ["depth": metres(depth)])
        return ([end] + unplaced.map { words("without_depths", ["stratum": $0]) }).joined(separator: "\n")
    }
}
