import Model
import Testing

@Suite struct PercentEncodingTests {
    @Test func whatIsReservedIsEncoded() {
        #expect("AZaz09-._~".percentEncoded() == "AZaz09-._~")
        #expect("a b/ñ&=#%".percentEncoded() == "a%20b%2F%C3%B1%26%3D%23%25")
        #expect("a b/ñ".percentEncoded(keeping: "/") == "a%20b/%C3%B1")
    }
}
