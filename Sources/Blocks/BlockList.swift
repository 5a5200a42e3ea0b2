import Model

/// The blocks that a template may use: one line each. They are offered, and stand in the schema, in this order.
package enum BlockList {
    static let all: [any Block.Type] = [
        TitleBlock.self,
        TextBlock.self,
        PageBlock.self,
        FieldsBlock.self,
        QueryTableBlock.self,
        PivotBlock.self,
        ChartBlock.self,
        PhotosBlock.self,
        PictureBlock.self,
        LogBlock.self,
        StripBlock.self,
        ProfileBlock.self,
        SketchBlock.self,
        PlanBlock.self,
        SymbolsBlock.self,
        SignaturesBlock.self,
        PageBreakBlock.self,
        SpaceBlock.self,
    ]

    /// What each may say, by its name.
    package static let keys: [(name: String, keys: [BlockKey])] = all.map { ($0.name, $0.keys) }

    /// What each makes: all of it must be drawn on pages and on sheets.
    package static let contents: [(name: String, content: any BlockContent.Type)] = all.map { ($0.name, content(of: $0)) }

    private static func content<B: Block>(of block: B.Type) -> any BlockContent.Type { B.Content.self }

    static func block(_ block: ReportBlock) -> (any Block)? {
        all.first { $0.name == block.name }?.init(block.template)
    }
}
