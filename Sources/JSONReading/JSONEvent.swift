/// What a JSON text consists of, in order. With a number, a text or a key come its bytes: a text's and a key's are UTF-8, without quotes and
/// with escapes resolved.
package enum JSONEvent: Sendable {
    case null, yes, no, number, string
    case startObject, endObject, startArray, endArray
    case key
}

/// Takes the events of a parser, which knows the place; a reason ends the parsing.
protocol JSONEventSink: AnyObject {
    func take(_ event: JSONEvent, _ bytes: Span<UInt8>, from parser: JSONParser) throws(JSONMistake.Reason)
}

/// Reasons travel alone until the parser adds the place.
extension JSONMistake.Reason: Error {}

extension String {
    /// A text of bytes that are UTF-8.
    package init(utf8 bytes: Span<UInt8>) {
        self = unsafe bytes.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
    }
}
