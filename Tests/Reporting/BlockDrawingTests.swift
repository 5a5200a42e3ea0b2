import Testing

@testable import Blocks
@testable import Drawing
@testable import Reporting

/// The content of every block can be drawn on pages and on sheets.
@Suite struct BlockDrawingTests {
    @Test(arguments: BlockList.contents.map(\.name)) func everyBlockIsDrawnOnPagesAndSheets(_ name: String) throws {
        let content = try #require(BlockList.contents.first { $0.name == name }?.content)
        #expect(content is any PageDrawn.Type || content is any DrawnContent.Type, "pages")
        #expect(content is any SheetDrawable.Type || content is any DrawnContent.Type, "sheets")
    }

    @Test func namesOfBlocksAreUnique() {
        let names = BlockList.contents.map(\.name)
        #expect(Set(names).count == names.count)
    }
}
