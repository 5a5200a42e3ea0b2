import Blocks
import Canvas
import Foundation

/// The identity of a record below the head of each of its pages, and the stamp across the pages of
/// one that is not approved.
struct IdentityBand {
    private let content: IdentityContent
    private let words: ReportWords
    private let style: PageStyle
    private let drawings: [PageFlow.Drawing]
    /// With the space below, in points.
    let height: Double

    /// - Parameter place: the band's upper left corner and its width; the height does not count.
    init(_ content: IdentityContent, in place: Box, words: ReportWords, style: PageStyle, typesetter: Typesetter) {
        (self.content, self.words, self.style) = (content, words, style)
        let endless = PageFlow(typesetter: typesetter, style: style, frame: Box(x: place.x, y: place.y, width: place.width, height: 1e6))
        FieldsFlow(content: FieldsContent(columns: content.columns, items: content.items)).flow(into: endless)
        drawings = endless.pages.first ?? []
        height = content.items.isEmpty ? 0 : endless.y - place.y + 5
    }

    func draw(on canvas: Canvas) throws {
        for draw in drawings { try draw(canvas) }
    }

    /// Draws the stamp along the page's diagonal, below everything else. It is made to be covered, so
    /// it is outlines and no text: who searches or copies the page finds the record's own words.
    func drawStamp(on canvas: Canvas) {
        guard content.isDraft else { return }
        let text = words("draft_stamp")
        let diagonal = (canvas.width * canvas.width + canvas.height * canvas.height).squareRoot()
        let natural = canvas.layout(text, style.text(40, .bold, Self.colour)).width
        let layout = canvas.layout(text, style.text(40 * min(1.6, diagonal * 0.78 / max(1, natural)), .bold, Self.colour))
        canvas.inGroup {
            canvas.translate(x: canvas.width / 2, y: canvas.height / 2)
            canvas.rotate(-atan2(canvas.height, canvas.width))
            canvas.drawOutlines(of: layout, at: Point(x: -layout.width / 2, y: -layout.height / 2))
        }
    }

    /// Pale, so that whatever stands over it stays readable.
    private static let colour = Colour(red: 0.97, green: 0.80, blue: 0.80)
}
