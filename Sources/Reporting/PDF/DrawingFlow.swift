import Canvas
import Model

/// Drawings on a page.
struct DrawingFlow {
    let head: DocumentHead

    func flow(_ block: BlockContent, into flow: PageFlow) throws {
    }
}
