import Foundation
package import Model

/// A ground profile: pits at their elevation along a road, by chainage (the distance from its
/// start). If no pit has a chainage, the pits are placed along the straight line nearest to them.
struct ProfileBlock: Block {
    static let name = "profile"
    static let keys: [BlockKey] =
        [
            .query, .required("label", .column(.query), "Column with the pit's name."),
            .required("chainage", .column(.query), "Column with the chainage: metres, or a text like 12+300."),
            .optional(
                "easting", .column(.query),
                "Column with the UTM easting. Where no pit has a chainage, pits stand along a section through them."),
            .optional("northing", .column(.query), "Column with the UTM northing."),
            .required("elevation", .column(.query), "Column with the height above the sea."),
            .required("depth", .column(.query), "Column with the depth."),
            .optional("water", .column(.query), "Column with the depth of water."),
            .required("layers", .query, "The query with the layers."),
            .required("owner", .column(.rows(of: "layers")), "Its column with the pit's id."),
        ] + LayerColumns.keys(of: .rows(of: "layers")) + [
            .optional(
                "absent", .column(.query),
                "Column with the reason why a pit is not drawn: a dashed gap with its name stands in its place."),
            .optional(
                "band", .values(ValueColumn.object(.query), .query),
                "Further rows of the band below the columns. A text with lines has a line for each layer."),
            .optional(
                "horizontal", .column(.section),
                "The section's column with the scale 1:n along the road; chosen where it is empty."),
            .optional("vertical", .column(.section), "The section's column with the scale 1:n of elevations."),
            .optional("contacts", .boolean, "Whether contacts are drawn between pits; false by default."), .height,
        ]

    private let query: String
    private let label: String
    private let chainage: String
    private let easting: String?
    private let northing: String?
    private let elevation: String
    private let depth: String
    private let water: String?
    private let layers: LayerColumns
    /// The column of `layers` with the pit's id.
    private let owner: String
    private let absent: String?
    private let band: [ValueColumn]
    private let horizontal: String?
    private let vertical: String?
    private let joinsContacts: Bool
    /// Nil: the profile fills the page's height.
    private let height: Double?

    init?(_ template: PackNode) {
        guard let query = template.text("query"), let label = template.text("label"),
            let chainage = template.text("chainage"),
            let elevation = template.text("elevation"), let depth = template.text("depth"),
            let owner = template.text("owner"),
            let layers = LayerColumns(template, query: "layers")
        else { return nil }
        self.query = query
        self.label = label
        self.chainage = chainage
        easting = template.text("easting")
        northing = template.text("northing")
        self.elevation = elevation
        self.depth = depth
        water = template.text("water")
        self.layers = layers
        self.owner = owner
        absent = template.text("absent")
        band = template.items("band").compactMap(ValueColumn.init)
        horizontal = template.text("horizontal")
        vertical = template.text("vertical")
        joinsContacts = template.isTrue("contacts")
        height = template.height
    }

    func content(_ row: ReportRow?, _ context: ReportContext) throws -> ProfileContent? {
        var strataOfPit: [String: [Stratum]] = [:]
        for row in try context.rows(layers.query, for: row) {
            if let owner = row.text(owner), let stratum = layers.stratum(row) {
                strataOfPit[owner, default: []].append(stratum)
            }
        }
        let rows = try context.rows(query, for: row)
        guard let described = context.query(query) else {
            throw ReportFailure.template(context.definition.name, Self.name)
        }
        let shown = ShownColumns(band, cells: try rows.map { row in try band.map { try context.cell($0.value, row) } })
        let places = places(of: rows)
        var content = ProfileContent(pits: [], unplaced: [], joinsContacts: joinsContacts, millimetres: height)
        if !rows.isEmpty { content.axis = places.axis }
        content.bandTitles = shown.places.map { context.heading(band[$0].label, band[$0].value, of: described) }
        content.horizontal = horizontal.flatMap { row?.number($0) }
        content.vertical = vertical.flatMap { row?.number($0) }
        for (index, row) in rows.enumerated() {
            guard let place = places.places[index] else {
                content.unplaced.append(row.text(label) ?? "")
                continue
            }
            let absence = try absent.map { try context.cell(.column($0), row).text } ?? ""
            let own = row.text("id").flatMap { strataOfPit[$0] } ?? []
            content.pits.append(
                ProfileContent.Pit(
                    label: row.text(label) ?? "", chainage: place.along, off: place.off,
                    elevation: row.number(elevation),
                    depth: row.number(depth) ?? own.map(\.bottom).max() ?? 0, water: water.flatMap { row.number($0) },
                    strata: own,
                    band: shown.cells[index].map(\.text), absence: absence.isEmpty ? nil : absence))
        }
        content.pits.sort { ($0.chainage, $0.label) < ($1.chainage, $1.label) }
        return content
    }

    /// The pits' chainages; if no pit has one, their positions along the straight line nearest to
    /// them.
    private func places(of rows: [ReportRow]) -> (places: [(along: Double, off: Double?)?], axis: ProfileContent.Axis) {
        let chainages = rows.map { Self.metres($0, chainage) }
        let points = rows.map { row -> (east: Double, north: Double)? in
            guard let easting, let northing, let east = row.number(easting), let north = row.number(northing) else {
                return nil
            }
            return (east, north)
        }
        let known = points.compactMap(\.self)
        guard chainages.allSatisfy({ $0 == nil }) else { return (chainages.map { $0.map { ($0, nil) } }, .road) }
        guard let line = SectionLine(known) else {
            return (rows.map { _ in nil }, known.count < 2 ? .tooFewPlaces : .onePlace)
        }
        return (points.map { $0.map { point in
            let place = line.place(point.east, point.north)
            return (place.along, place.off)
        } }, .section)
    }

    /// A chainage in metres: a number, or a text in the form that `metres()` accepts in queries.
    private static func metres(_ row: ReportRow, _ column: String) -> Double? {
        if case .text(let text) = row.value(column) { return Chainage.metres(text) }
        return row.number(column)
    }
}

/// Pits along a chainage or a section; all values in metres.
package struct ProfileContent: BlockContent {
    package struct Pit: Sendable, Hashable {
        package var label: String
        package var chainage: Double
        /// Distance from the section's line in metres; nil along a road.
        package var off: Double?
        /// Metres above the sea; nil: not known.
        package var elevation: Double?
        package var depth: Double
        package var water: Double?
        /// In the order of the query's rows.
        package var strata: [Stratum]
        /// The pit's values in the further rows of the band, the table below the profile.
        package var band: [String]
        /// The reason why the pit is not drawn: a dashed gap with its name is drawn instead.
        package var absence: String?
        /// The reasons why the pit's elevation and its depth are off the scale of the others. The
        /// drawing finds them, and has a gap in place of such a value.
        package var elevationFault: String?
        package var depthFault: String?
    }

    /// The line along which the pits are drawn. Without chainages it is a section, unless fewer
    /// than two pits have coordinates, or all are at one place.
    package enum Axis: String, Sendable {
        case road
        case section
        case tooFewPlaces = "too_few_places"
        case onePlace = "one_place"
    }

    package var pits: [Pit]
    /// Pits that cannot be placed, because they lack a chainage (road) or coordinates (section).
    package var unplaced: [String]
    package var bandTitles: [String] = []
    /// The requested scales 1:n.
    package var horizontal: Double?
    package var vertical: Double?
    package var axis = Axis.road
    package var isSection: Bool { axis == .section }
    /// Whether there is a line along which pits can be drawn.
    package var hasAxis: Bool { axis == .road || axis == .section }
    package var joinsContacts: Bool
    package var millimetres: Double?

    package init(pits: [Pit], unplaced: [String], joinsContacts: Bool, millimetres: Double?) {
        self.pits = pits
        self.unplaced = unplaced
        self.joinsContacts = joinsContacts
        self.millimetres = millimetres
    }

    /// The notes below the drawing, or in its place: how pits without chainages are placed, or why
    /// there is no section, and which pits are missing.
    package func notes(_ words: ReportWords) -> [String] {
        let missing =
            unplaced.isEmpty
            ? []
            : [words(isSection ? "without_places" : "without_chainage", ["pits": unplaced.joined(separator: ", ")])]
        return switch axis {
        case .road: missing
        case .section: [words("axis.section")] + missing
        case .tooFewPlaces, .onePlace: [words("axis." + axis.rawValue)]
        }
    }
}

/// The straight line nearest to some places, from its western end: a section through pits that are
/// not along a road.
struct SectionLine {
    private let origin: (east: Double, north: Double)
    private let direction: (east: Double, north: Double)

    /// Nil if there are fewer than two places, or all are equal.
    init?(_ places: [(east: Double, north: Double)]) {
        guard places.count >= 2 else { return nil }
        let count = Double(places.count)
        var sum = (east: 0.0, north: 0.0)
        for place in places { sum = (sum.east + place.east, sum.north + place.north) }
        let mean = (east: sum.east / count, north: sum.north / count)
        // The axis of the greatest spread: the sum of the squared distances to it is minimal.
        var (xx, yy, xy) = (0.0, 0.0, 0.0)
        for place in places {
            let (dx, dy) = (place.east - mean.east, place.north - mean.north)
            (xx, yy, xy) = (xx + dx * dx, yy + dy * dy, xy + dx * dy)
        }
        guard xx + yy > 1e-9 else { return nil }
        let angle = 0.5 * atan2(2 * xy, xx - yy)
        // From −90° to 90°, so A is the western end; for a line due north, the southern one.
        let (cosine, sine): (Double, Double) = (cos(angle), sin(angle))
        direction = (cosine, sine)
        func along(_ place: (east: Double, north: Double)) -> Double {
            (place.east - mean.east) * cosine + (place.north - mean.north) * sine
        }
        let nearest = places.map(along).min() ?? 0
        origin = (mean.east + nearest * cosine, mean.north + nearest * sine)
    }

    /// Metres along the line from A, and off the line: positive to its left.
    func place(_ east: Double, _ north: Double) -> (along: Double, off: Double) {
        let (dx, dy) = (east - origin.east, north - origin.north)
        return (dx * direction.east + dy * direction.north, dy * direction.east - dx * direction.north)
    }
}
