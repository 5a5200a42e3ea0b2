/// Remembers where texts were drawn, so that a test can say that none leaves its page or covers another.
package final class TextRecorder {
    package struct Entry: Sendable, Hashable {
        package let text: String
        /// On the page, after all turning and moving.
        package let box: Box
        /// From 0.
        package let page: Int
    }

    package var entries: [Entry] = []
    package var page = 0

    package init() {}
}
