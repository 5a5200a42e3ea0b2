import Foundation
import Model

/// The content of drawings from the rows of queries. Depths and coordinates are metres; what cannot be placed is counted, not dropped.
struct DrawingBuilder {
    let context: ReportContext

    // MARK: Layers

    /// A row's layer; nil where a depth is missing.
    private func layer(_ row: ReportRow, _ layers: ReportBlock.Layers) -> LayerContent? {
        guard let from = row.number(layers.from), let to = row.number(layers.to) else { return nil }
        return LayerContent(from: from, to: to, symbol: row.text(layers.symbol) ?? "")
    }

    func log(_ log: ReportBlock.Log, _ row: ReportRow?) throws -> LogContent {
        let rows = try context.rows(log.layers.query, for: row)
        guard let query = context.query(log.layers.query) else { throw ReportFailure.template(context.definition.name, "log") }
        var cells = try rows.map { row in try log.columns.map { try context.cell($0.value, row) } }
        let shown = log.columns.indices.filter { index in !log.columns[index].hidesEmpty || cells.contains { !$0[index].isEmpty } }
        cells = cells.map { row in shown.map { row[$0] } }
        let columns = shown.enumerated().map { place, index in
            LogContent.Column(
                label: context.heading(log.columns[index].label, log.columns[index].value, of: query),
                isNumeric: cells.contains { $0[place].isNumber }, width: log.columns[index].width)
        }
        let layers = try zip(rows, cells).compactMap { row, cells -> LogContent.Layer? in
            guard let layer = layer(row, log.layers) else { return nil }
            return LogContent.Layer(
                layer: layer, number: log.number.flatMap { row.text($0) } ?? "", description: try context.cell(log.description, row).text,
                sample: log.sample.flatMap { row.text($0) }, sampleDepth: log.sampleDepth.flatMap { row.number($0) }, cells: cells)
        }
        return LogContent(
            layers: layers, columns: columns, total: log.total.flatMap { row?.number($0) }, water: log.water.flatMap { row?.number($0) },
            scales: log.scales, empty: context.text(log.empty, row) ?? "")
    }

    func strip(_ strip: ReportBlock.Strip, _ row: ReportRow?) throws -> StripContent {
        StripContent(
            layers: try context.rows(strip.layers.query, for: row).compactMap { layer($0, strip.layers) },
            total: strip.total.flatMap { row?.number($0) }, water: strip.water.flatMap { row?.number($0) }, millimetres: strip.height)
    }

    // MARK: Along the road and on the map

    func profile(_ profile: ReportBlock.Profile, _ row: ReportRow?) throws -> ProfileContent {
        var layers: [String: [LayerContent]] = [:]
        for row in try context.rows(profile.layers.query, for: row) {
            if let owner = row.text(profile.owner), let layer = layer(row, profile.layers) { layers[owner, default: []].append(layer) }
        }
        var pits: [ProfileContent.Pit] = [], unplaced: [String] = []
        for row in try context.rows(profile.query, for: row) {
            let label = row.text(profile.label) ?? ""
            guard let chainage = Self.metres(row, profile.chainage) else {
                unplaced.append(label)
                continue
            }
            let own = row.text("id").flatMap { layers[$0] } ?? []
            pits.append(ProfileContent.Pit(
                label: label, anchor: nil, chainage: chainage, elevation: row.number(profile.elevation),
                depth: row.number(profile.depth) ?? own.map(\.to).max() ?? 0, water: profile.water.flatMap { row.number($0) }, layers: own))
        }
        pits.sort { ($0.chainage, $0.label) < ($1.chainage, $1.label) }
        return ProfileContent(pits: pits, unplaced: unplaced, joinsContacts: profile.joinsContacts, millimetres: profile.height)
    }

    /// A chainage in metres: a number, or kilometres and metres such as `12+300`.
    static func metres(_ row: ReportRow, _ column: String) -> Double? {
        if let number = row.number(column) { return number }
        guard let text = row.text(column) else { return nil }
        let parts = text.split(separator: "+", omittingEmptySubsequences: false)
        guard parts.count == 2, let kilometres = Double(parts[0]), let metres = Double(parts[1]), metres >= 0 else { return nil }
        return kilometres * 1000 + metres
    }

    func sketch(_ sketch: ReportBlock.Sketch, _ row: ReportRow?) throws -> SketchContent {
        let rows = try context.rows(sketch.query, for: row)
        let points = rows.compactMap { row -> SketchContent.Point? in
            guard let east = row.number(sketch.easting), let north = row.number(sketch.northing) else { return nil }
            return SketchContent.Point(label: row.text(sketch.label) ?? "", east: east, north: north)
        }
        return SketchContent(points: points, missing: rows.count - points.count, millimetres: sketch.height)
    }

    // MARK: Plans

    func plan(_ plan: ReportBlock.Plan, _ row: ReportRow?) throws -> PlanContent {
        let own = row?.text("id")
        let rooms = try context.rows(plan.query, for: row).compactMap { room -> PlanContent.Room? in
            let polygon = PlanJSON.ring(room.text(plan.polygon))
            guard polygon.count > 2 else { return nil }
            return PlanContent.Room(
                polygon: polygon, label: context.text(plan.label, room) ?? "",
                state: plan.state.flatMap { room.text($0) }.flatMap(PlanContent.State.init),
                count: plan.count.flatMap { room.number($0) }.map { Int($0) },
                isMarked: plan.only != nil && plan.only.flatMap { room.text($0) } == own)
        }
        var points: [PlanContent.Position] = []
        if let query = plan.points, let column = plan.point {
            points = try context.rows(query, for: row).flatMap { PlanJSON.points($0.text(column)) }
        }
        var background = plan.background.map { PlanJSON.lines(row?.text($0)) } ?? []
        if let origin = plan.origin.flatMap({ PlanJSON.points(row?.text($0)).first }) {
            background = background.map { line in line.map { PlanContent.Position(x: $0.x - origin.x, y: $0.y - origin.y) } }
        }
        let names = PlanContent.State.allCases.map { ($0, context.head.words("state_" + $0.rawValue)) }
        return PlanContent(
            rooms: rooms, background: background,
            boundary: plan.boundary.map { PlanJSON.ring(row?.text($0)) } ?? [], north: plan.north.flatMap { row?.number($0) }, points: points,
            stateNames: Dictionary(names) { first, _ in first }, showsMarkedOnly: plan.only != nil, millimetres: plan.height,
            empty: context.text(plan.empty, row))
    }

    // MARK: Charts and legends

    func chart(_ chart: ReportBlock.Chart, _ row: ReportRow?) throws -> ChartContent? {
        guard let query = context.query(chart.query), let category = query.column(chart.category) else { return nil }
        let rows = try context.rows(chart.query, for: row)
        if rows.isEmpty { return nil }
        func name(_ row: ReportRow, _ column: ReportColumn) -> String {
            let cell = context.values.cell(row.value(column.name), column)
            return cell.isEmpty ? context.head.words("none") : cell.text
        }
        var categories: [String] = []
        var places: [String: Int] = [:]
        var series: [String: [Int: Double]] = [:], order: [String] = []
        for row in rows {
            let place = name(row, category)
            let index = places[place] ?? categories.count
            if places[place] == nil {
                places[place] = index
                categories.append(place)
            }
            for value in chart.values {
                guard let column = query.column(value) else { continue }
                let label = chart.split.flatMap { query.column($0) }.map { name(row, $0) } ?? context.label(column)
                if series[label] == nil { order.append(label) }
                guard let number = row.number(value) else {
                    series[label, default: [:]][index, default: 0] += 0
                    continue
                }
                series[label, default: [:]][index, default: 0] += number
            }
        }
        let measured = chart.values.first.flatMap { query.column($0) }
        return ChartContent(
            title: context.text(chart.title, row), kind: chart.kind, categories: categories,
            series: order.map { label in (label, categories.indices.map { series[label]?[$0] }) },
            decimals: measured?.type == .integer ? 0 : measured?.decimals,
            measure: measured.map { context.heading(nil, .column($0.name), of: query) } ?? "", millimetres: chart.height)
    }

    /// Nil where there is none.
    func symbols(_ query: String, _ column: String, _ row: ReportRow?) throws -> [SymbolContent]? {
        guard let described = context.query(query)?.column(column) else { return nil }
        var seen: Set<String> = []
        let symbols = try context.rows(query, for: row).compactMap { row -> SymbolContent? in
            guard let symbol = row.text(column), seen.insert(symbol).inserted else { return nil }
            return SymbolContent(symbol: symbol, name: context.values.cell(.text(symbol), described).text)
        }.sorted { $0.symbol < $1.symbol }
        return symbols.isEmpty ? nil : symbols
    }
}
