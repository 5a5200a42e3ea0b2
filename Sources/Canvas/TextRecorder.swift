/// Records where texts were drawn, so that a test can check that none leaves its page or covers
/// another.
package final class TextRecorder {
    package struct Entry: Sendable, Hashable {
        package let text: String
        /// On the page, after all rotations and translations.
        package let box: Box
        /// Counted from 0.
        package let page: Int
        /// The size of its letters in points.
        package let size: Double
    }

    package var entries: [Entry] = []
    package var page = 0

    package init() {}
}
