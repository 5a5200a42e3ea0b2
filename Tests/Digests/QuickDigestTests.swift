import Digests
import Testing

@Suite struct QuickDigestTests {
    /// Sums that the authors of FNV-1a publish.
    @Test(arguments: [
        ("", "cbf29ce484222325", "811c9dc5"), ("a", "af63dc4c8601ec8c", "e40c292c"), ("foobar", "85944171f73967e8", "bf9cf968"),
    ])
    func theExamplesOfItsAuthors(_ text: String, _ long: String, _ short: String) {
        var digest = QuickDigest()
        digest.add(text)
        #expect(digest.value.hexadecimal(16) == long)
        let bytes = Array(text.utf8)
        let found = QuickDigest.Short(bytes.span).value
        #expect(found.hexadecimal(8) == short)
    }

    @Test func aWordIsOneStep() {
        var word = QuickDigest(), byte = QuickDigest()
        word.add(word: 97)
        byte.add(97 as UInt8)
        #expect(word.value == byte.value)
        word.add(word: 0x6261)
        byte.add("ab")
        #expect(word.value != byte.value)
    }
}
