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

    /// The content that each block makes: every kind must be drawn on pages and on sheets.
    package static let contents: [(name: String, content: any BlockContent.Type)] = all.map { ($0.name, content(of: $0)) }

    private static func content<B: Block>(of block: B.Type) -> any BlockContent.Type { B.Content.self }

    static func block(_ block: ReportBlock) -> (any Block)? {
        all.first { $0.name == block.name }?.init(block.template)
    }
}
