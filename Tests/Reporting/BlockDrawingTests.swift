import Blocks
import Testing
@testable import Reporting

/// What a block makes can be drawn everywhere.
@Suite struct BlockDrawingTests {
    @Test(arguments: BlockList.contents.map(\.name)) func everyBlockIsDrawnOnPagesAndSheets(_ name: String) throws {
        let content = try #require(BlockList.contents.first { $0.name == name }?.content)
        #expect(content is any PageDrawn.Type, "pages")
        #expect(content is any SheetDrawn.Type, "sheets")
    }

    @Test func namesOfBlocksAreUnique() {
        let names = BlockList.contents.map(\.name)
        #expect(Set(names).count == names.count)
    }
}
