import Foundation
import Model

/// The blocks that a template may use, one line each. The schema lists them in this order.
package enum BlockList {
    static let all: [any Block.Type] = [
        TitleBlock.self,
        TextBlock.self,
        PageBlock.self,
        SummaryBlock.self,
        FieldsBlock.self,
        IdentityBlock.self,
        QueryTableBlock.self,
        PivotBlock.self,
        MissingBlock.self,
        ChartBlock.self,
        CalendarBlock.self,
        PhotosBlock.self,
        PictureBlock.self,
        LogBlock.self,
        StripBlock.self,
        ProfileBlock.self,
        SketchBlock.self,
        PlotBlock.self,
        PlanBlock.self,
        SymbolsBlock.self,
        SignaturesBlock.self,
        PageBreakBlock.self,
        SpaceBlock.self,
    ]

    /// The keys that each block accepts, by its name.
    package static let keys: [(name: String, keys: [BlockKey])] = all.map { ($0.name, $0.keys) }

    /// The content type of each block: every one must be drawable on pages and on sheets.
    package static let contents: [(name: String, content: any BlockContent.Type)] = all.map {
        ($0.name, content(of: $0))
    }

    private static func content<B: Block>(of block: B.Type) -> any BlockContent.Type { B.Content.self }

    static func block(_ block: ReportBlock) -> (any Block)? {
        all.first { $0.name == block.name }?.init(block.template)
    }
}

/// Empty space between blocks.
struct SpaceBlock: Block {
    static let name = "space"
    static let keys: [BlockKey] = [.required("height", .integer(1...200), "In millimetres.")]

    private let height: Double

    init?(_ template: PackNode) {
        guard let height = template.height else { return nil }
        self.height = height
    }

    func content(_ row: ReportRow?, _ context: ReportContext) -> SpaceContent? { SpaceContent(millimetres: height) }
}

package struct SpaceContent: BlockContent {
    package var millimetres: Double
}

/// One kind of block in sections. Its file declares the keys of its template, what these must
/// resolve to, and the content that it makes from rows. `Reporting` defines how the content is
/// drawn, once for pages and once for sheets.
protocol Block: Sendable {
    /// Name of the block in templates.
    static var name: String { get }
    static var keys: [BlockKey] { get }
    /// The type of the block's content, for the test that all types can be drawn.
    associatedtype Content: BlockContent

    /// Nil if a required key is missing, which the template's check has already reported.
    init?(_ template: PackNode)

    /// The block's content for a section's row; nil if the block is left out.
    func content(_ row: ReportRow?, _ context: ReportContext) throws -> Content?
}

/// The content of a block, texts and values, as every renderer receives it.
package protocol BlockContent: Sendable {}

/// A picture from the report's folder.
struct PictureBlock: Block {
    static let name = "picture"
    static let keys: [BlockKey] = [.required("file", .file, "A PNG or JPEG beside the template."), .height]

    private let file: String
    private let height: Double

    init?(_ template: PackNode) {
        guard let file = template.text("file") else { return nil }
        self.file = file
        height = template.height ?? 30
    }

    func content(_ row: ReportRow?, _ context: ReportContext) throws -> PictureContent? {
        let path = context.pack.directory.appendingPathComponent("reports/\(context.definition.name)/\(file)").path
        guard let data = FileManager.default.contents(atPath: path), let picture = ReportPicture(file: [UInt8](data))
        else {
            throw ReportFailure.missingPicture(path: path)
        }
        return PictureContent(picture: picture, millimetres: height)
    }
}

package struct PictureContent: BlockContent {
    package var picture: ReportPicture
    package var millimetres: Double
}

/// A heading, kept on the same page as the content after it.
struct TitleBlock: Block {
    static let name = "title"
    static let keys: [BlockKey] = [
        .required("text", .text(.section), "Key of a text, or a pattern."),
        .optional("level", .integer(1...3), "1 by default."),
    ]

    private let text: ReportText
    private let level: Int

    init?(_ template: PackNode) {
        guard let text = template.reportText("text") else { return nil }
        self.text = text
        level = template.integer("level") ?? 1
    }

    func content(_ row: ReportRow?, _ context: ReportContext) -> TitleContent? {
        TitleContent(context.text(text, row) ?? "", level: level)
    }
}

package struct TitleContent: BlockContent, Equatable {
    package var text: String
    package var level: Int

    package init(_ text: String, level: Int) {
        self.text = text
        self.level = level
    }
}

/// The symbols used in a query's rows, with their names.
struct SymbolsBlock: Block {
    static let name = "symbols"
    static let keys: [BlockKey] = [.query, .required("symbol", .column(.query), "Column with the symbols.")]

    private let query: String
    private let symbol: String

    init?(_ template: PackNode) {
        guard let query = template.text("query"), let symbol = template.text("symbol") else { return nil }
        self.query = query
        self.symbol = symbol
    }

    func content(_ row: ReportRow?, _ context: ReportContext) throws -> SymbolsContent? {
        guard let described = context.query(query)?.column(symbol) else { return nil }
        var seen: Set<String> = []
        let symbols = try context.rows(query, for: row).compactMap { row -> SymbolContent? in
            guard let symbol = row.text(symbol), seen.insert(symbol).inserted else { return nil }
            return SymbolContent(symbol: symbol, name: context.values.cell(.text(symbol), described).text)
        }.sorted { $0.symbol < $1.symbol }
        return symbols.isEmpty ? nil : SymbolsContent(symbols)
    }
}

package struct SymbolsContent: BlockContent {
    package var symbols: [SymbolContent]

    package init(_ symbols: [SymbolContent]) { self.symbols = symbols }
}

package struct SymbolContent: Sendable, Hashable {
    package var symbol: String
    package var name: String
    /// Whether the name only repeats the symbol: «RELLENO», «Relleno».
    package var saysNothingMore: Bool { name.lowercased() == symbol.lowercased() }
}

/// Lines for signatures, with the names or roles of the signers.
struct SignaturesBlock: Block {
    static let name = "signatures"
    static let keys: [BlockKey] = [.required("items", .objects(signature, atLeast: 1), "Who signs.")]

    private static let signature = BlockObject(
        name: "reportSignature", about: "A line to sign on.",
        keys: [
            .required("label", .text(.section), "Key of a text."),
            .optional("name", .column(.section), "The section's column with the name."),
            .optional(
                "note", .text(.section),
                "A line below the name: key of a text, or a pattern like {registration_number}."),
        ])

    private let signatures: [(label: ReportText, name: String?, note: ReportText?)]

    init?(_ template: PackNode) {
        signatures = template.items("items").compactMap { item in
            item.reportText("label").map { ($0, item.text("name"), item.reportText("note")) }
        }
    }

    func content(_ row: ReportRow?, _ context: ReportContext) -> SignaturesContent? {
        SignaturesContent(signatures.map { label, name, note in
                SignatureContent(
                    label: context.text(label, row) ?? "", name: name.flatMap { row?.text($0) },
                    note: context.text(note, row))
        })
    }
}

package struct SignaturesContent: BlockContent {
    package var signatures: [SignatureContent]

    package init(_ signatures: [SignatureContent]) { self.signatures = signatures }
}

package struct SignatureContent: Sendable, Hashable {
    package var label: String
    package var name: String?
    /// A line below the name, such as a registration number.
    package var note: String?

    package init(label: String, name: String?, note: String? = nil) {
        self.label = label
        self.name = name
        self.note = note
    }
}

/// Points at their UTM coordinates in metres, with north arrow and scale bar.
struct SketchBlock: Block {
    static let name = "sketch"
    static let keys: [BlockKey] = [
        .query, .required("easting", .column(.query), "Column with the UTM easting."),
        .required("northing", .column(.query), "Column with the UTM northing."),
        .required("label", .column(.query), "Column with the name."),
        .optional(
            "own", .column(.query), "Column that equals the section's id in the section's own place: it stands out."),
        .optional("joined", .boolean, "Whether a line joins the places, in the order of the rows."), .height,
    ]

    private let query: String
    private let easting: String
    private let northing: String
    private let label: String
    private let own: String?
    private let isJoined: Bool
    private let height: Double

    init?(_ template: PackNode) {
        guard let query = template.text("query"), let easting = template.text("easting"),
            let northing = template.text("northing"),
            let label = template.text("label")
        else { return nil }
        self.query = query
        self.easting = easting
        self.northing = northing
        self.label = label
        own = template.text("own")
        isJoined = template.isTrue("joined")
        height = template.height ?? 90
    }

    func content(_ row: ReportRow?, _ context: ReportContext) throws -> SketchContent? {
        let rows = try context.rows(query, for: row)
        let id = row?.text("id")
        let places = rows.compactMap { row -> SketchContent.Place? in
            guard let east = row.number(easting), let north = row.number(northing) else { return nil }
            let isOwn = id != nil && own.flatMap { row.text($0) } == id
            return SketchContent.Place(label: row.text(label) ?? "", east: east, north: north, isHighlighted: isOwn)
        }
        return SketchContent(
            places: places, missing: rows.count - places.count, isJoined: isJoined, millimetres: height)
    }
}

/// Places at their UTM coordinates in metres, in one zone.
package struct SketchContent: BlockContent {
    package struct Place: Sendable, Hashable {
        package var label: String
        package var east: Double
        package var north: Double
        /// Whether the place is drawn larger, and its label placed first.
        package var isHighlighted = false
    }

    package var places: [Place]
    /// The number of places that are left out because they have no coordinates.
    package var missing: Int
    /// Whether a line joins the places in their order, along the road.
    package var isJoined = false
    package var millimetres: Double?
}
