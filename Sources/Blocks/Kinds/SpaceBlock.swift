import Model

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
