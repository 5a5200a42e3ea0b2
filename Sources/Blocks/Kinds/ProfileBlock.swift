package import Model

/// Pits along a chainage, in elevation.
struct ProfileBlock: Block {
    static let name = "profile"
    static let keys: [BlockKey] = [
        .query, .required("label", .column(.query), "Column with the pit's name."),
        .required("chainage", .column(.query), "Column with the chainage: metres, or a text like 12+300."),
        .required("elevation", .column(.query), "Column with the height above the sea."), .required("depth", .column(.query), "Column with the depth."),
        .optional("water", .column(.query), "Column with the depth of water."), .required("layers", .query, "The query with the layers."),
        .required("owner", .column(.rows(of: "layers")), "Its column with the pit's id."),
    ] + LayerColumns.keys(of: .rows(of: "layers")) + [
        .optional("contacts", .boolean, "Whether contacts are drawn between pits; false by default."), .height,
    ]

    private let query: String
    private let label: String
    private let chainage: String
    private let elevation: String
    private let depth: String
    private let water: String?
    private let layers: LayerColumns
    private let owner: String
    private let joinsContacts: Bool
    /// Nil: the page's height.
    private let height: Double?

    init?(_ template: PackNode) {
        guard let query = template.text("query"), let label = template.text("label"), let chainage = template.text("chainage"),
            let elevation = template.text("elevation"), let depth = template.text("depth"), let owner = template.text("owner"),
            let layers = LayerColumns(template, query: "layers")
        else { return nil }
        self.query = query
        self.label = label
        self.chainage = chainage
        self.elevation = elevation
        self.depth = depth
        water = template.text("water")
        self.layers = layers
        self.owner = owner
        joinsContacts = template.isTrue("contacts")
        height = template.height
    }

    func content(_ row: ReportRow?, _ context: ReportContext) throws -> ProfileContent? {
        var strataOfPit: [String: [Stratum]] = [:]
        for row in try context.rows(layers.query, for: row) {
            if let owner = row.text(owner), let stratum = layers.stratum(row) { strataOfPit[owner, default: []].append(stratum) }
        }
        var pits: [ProfileContent.Pit] = [], unplaced: [String] = []
        for row in try context.rows(query, for: row) {
            let label = row.text(label) ?? ""
            guard let chainage = Self.metres(row, chainage) else {
                unplaced.append(label)
                continue
            }
            let own = row.text("id").flatMap { strataOfPit[$0] } ?? []
            pits.append(ProfileContent.Pit(
                label: label, anchor: nil, chainage: chainage, elevation: row.number(elevation),
                depth: row.number(depth) ?? own.map(\.bottom).max() ?? 0, water: water.flatMap { row.number($0) }, strata: own))
        }
        pits.sort { ($0.chainage, $0.label) < ($1.chainage, $1.label) }
        return ProfileContent(pits: pits, unplaced: unplaced, joinsContacts: joinsContacts, millimetres: height)
    }

    /// A chainage in metres: a number, or kilometres and metres such as `12+300`.
    private static func metres(_ row: ReportRow, _ column: String) -> Double? {
        if let number = row.number(column) { return number }
        guard let text = row.text(column) else { return nil }
        let parts = text.split(separator: "+", omittingEmptySubsequences: false)
        guard parts.count == 2, let kilometres = Double(parts[0]), let metres = Double(parts[1]), metres >= 0 else { return nil }
        return kilometres * 1000 + metres
    }
}

/// Pits along a chainage; all values in metres.
package struct ProfileContent: BlockContent {
    package struct Pit: Sendable {
        package var label: String
        package var anchor: String?
        package var chainage: Double
        /// Metres above sea level; nil: not known.
        package var elevation: Double?
        package var depth: Double
        package var water: Double?
        package var strata: [Stratum]
    }

    package var pits: [Pit]
    /// Pits that cannot be placed because they have no chainage.
    package var unplaced: [String]
    package var joinsContacts: Bool
    package var millimetres: Double?
}
