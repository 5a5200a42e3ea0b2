internal import Model

/// Makes the blocks of a report's sections; nil where something was missing, which its shape has reported.
struct ReportBlockBuilder {
    let node: YAMLNode
    /// The text of a mustache file of the report's folder.
    let page: (String) -> String?

    var content: ReportBlock.Content? {
        switch node.text("block") {
        case "title": text("text").map { .title($0, level: node["level"]?.integer ?? 1) }
        case "text": text("text").map { .text($0, style: node.word("style", ReportBlock.TextStyle.self) ?? .normal) }
        case "page": node.text("file").map { .page(file: $0, template: page($0) ?? "") }
        case "fields": .fields(columns: node["columns"]?.integer ?? 2, node.items("items").compactMap(Self.item))
        case "table": table.map { .table($0) }
        case "pivot": pivot.map { .pivot($0) }
        case "chart": chart.map { .chart($0) }
        case "photos": photos.map { .photos($0) }
        case "picture": node.text("file").map { .picture(file: $0, height: height ?? 30) }
        case "log": log.map { .log($0) }
        case "strip": layers("query").map { .strip(.init(layers: $0, total: name("total"), water: name("water"), height: height ?? 100)) }
        case "profile": profile.map { .profile($0) }
        case "sketch": sketch.map { .sketch($0) }
        case "plan": plan.map { .plan($0) }
        case "symbols": both("query", "symbol").map { .symbols(query: $0, symbol: $1) }
        case "signatures":
            .signatures(node.items("items").compactMap { item in
                item.text("label").map { .init(label: ReportText($0), name: item.text("name")) }
            })
        case "pageBreak": .pageBreak
        case "space": height.map { .space($0) }
        default: nil
        }
    }

    private func name(_ key: String) -> String? { node.text(key) }
    private func text(_ key: String) -> ReportText? { node.text(key).map { ReportText($0) } }
    private var height: Double? { node["height"]?.integer.map(Double.init) }

    private func both(_ first: String, _ second: String) -> (String, String)? {
        guard let one = node.text(first), let other = node.text(second) else { return nil }
        return (one, other)
    }

    private static func value(_ node: YAMLNode) -> ReportBlock.Value? {
        if let name = node.text ?? node.text("column") { return node["code"]?.boolean == true ? .code(name) : .column(name) }
        if let expression = node.expression("value") {
            let column = ReportColumn(
                name: "", type: node.word("type", FieldType.self) ?? .text, decimals: node["decimals"]?.integer, unit: node.text("unit"))
            return .expression(expression, column)
        }
        return node.text("text").map { .text(ReportText($0)) }
    }

    private static func item(_ node: YAMLNode) -> ReportBlock.Item? {
        value(node).map { value in
            .init(
                value: value, label: node.text("label").map { ReportText($0) }, span: node["span"]?.integer ?? 1,
                empty: node.text("empty").map { ReportText($0) }, hidesEmpty: node["hideEmpty"]?.boolean ?? false)
        }
    }

    private static func column(_ node: YAMLNode) -> ReportBlock.Column? {
        value(node).map { value in
            .init(
                value: value, label: node.text("label").map { ReportText($0) }, width: node["width"]?.number,
                hidesEmpty: node["hideEmpty"]?.boolean ?? false, link: node.text("link"))
        }
    }

    private var table: ReportBlock.Table? {
        name("query").map { query in
            let totals = (node["totals"]?.pairs ?? []).compactMap { pair in
                pair.value.text.flatMap(ReportBlock.Total.init).map { (pair.key, $0) }
            }
            return .init(
                title: text("title"), query: query, columns: node.items("columns").compactMap(Self.column), group: node.texts("group"),
                totals: Dictionary(totals) { first, _ in first }, empty: text("empty"),
                tones: node.items("tones").compactMap { tone in
                    guard let when = tone.expression("when"), let word = tone.word("tone", ReportBlock.Tone.self) else { return nil }
                    return .init(when: when, tone: word)
                })
        }
    }

    private var pivot: ReportBlock.Pivot? {
        guard let query = name("query"), let (rows, columns) = both("rows", "columns") else { return nil }
        return .init(
            title: text("title"), query: query, rows: rows, columns: columns, value: name("value"),
            total: name("value") == nil ? .count : node.word("total", ReportBlock.Total.self) ?? .sum, empty: text("empty"))
    }

    private var chart: ReportBlock.Chart? {
        guard let kind = node.word("kind", ReportBlock.Chart.Kind.self), let (query, category) = both("query", "category") else { return nil }
        return .init(
            title: text("title"), kind: kind, query: query, category: category, values: node.texts("values"), split: name("split"),
            height: height ?? 70)
    }

    private var photos: ReportBlock.Photos? {
        guard let (query, path) = both("query", "path"), let caption = text("caption") else { return nil }
        return .init(
            title: text("title"), query: query, path: path, caption: caption, link: text("link"), columns: node["columns"]?.integer ?? 3, height: height ?? 55,
            empty: text("empty"))
    }

    private func layers(_ query: String) -> ReportBlock.Layers? {
        guard let query = name(query), let (from, to) = both("from", "to"), let symbol = name("symbol") else { return nil }
        return .init(query: query, from: from, to: to, symbol: symbol)
    }

    private var log: ReportBlock.Log? {
        guard let layers = layers("query"), let description = node["description"].flatMap(Self.value), let empty = text("empty") else { return nil }
        return .init(
            layers: layers, number: name("number"), description: description, total: name("total"), water: name("water"),
            sample: name("sample"), sampleDepth: name("sampleDepth"), columns: node.items("columns").compactMap(Self.column),
            scales: node["scales"].map { $0.items.compactMap(\.integer) } ?? [10, 20, 25, 50], empty: empty)
    }

    private var profile: ReportBlock.Profile? {
        guard let (query, label) = both("query", "label"), let (chainage, elevation) = both("chainage", "elevation"),
            let (depth, owner) = both("depth", "owner"), let layers = layers("layers")
        else { return nil }
        return .init(
            query: query, label: label, chainage: chainage, elevation: elevation, depth: depth, water: name("water"), layers: layers,
            owner: owner, joinsContacts: node["contacts"]?.boolean ?? false, height: height)
    }

    private var sketch: ReportBlock.Sketch? {
        guard let (query, label) = both("query", "label"), let (easting, northing) = both("easting", "northing") else { return nil }
        return .init(query: query, easting: easting, northing: northing, label: label, height: height ?? 90)
    }

    private var plan: ReportBlock.Plan? {
        guard let (query, polygon) = both("query", "polygon"), let label = text("label") else { return nil }
        return .init(
            query: query, polygon: polygon, label: label, state: name("state"), count: name("count"), background: name("background"),
            origin: name("origin"), boundary: name("boundary"), north: name("north"), points: name("points"), point: name("point"), only: name("only"), height: height,
            empty: text("empty"))
    }
}
