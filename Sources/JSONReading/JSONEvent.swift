/// The parts of a JSON text, in order. Numbers, texts and keys come with their bytes; those of
/// texts and keys are UTF-8, without quotes and with escapes resolved.
package enum JSONEvent: Sendable {
    case null, yes, no, number, string
    case startObject, endObject, startArray, endArray
    case key
}

/// Takes the events of a parser, which tracks the position; a thrown reason ends the parsing.
protocol JSONEventSink: AnyObject {
    func take(_ event: JSONEvent, _ bytes: Span<UInt8>, from parser: JSONParser) throws(JSONMistake.Reason)
}

/// Reasons are thrown without a position; the parser adds it.
extension JSONMistake.Reason: Error {}

extension String {
    /// Makes a text from bytes that are known to be UTF-8.
    package init(utf8 bytes: Span<UInt8>) {
        self = unsafe bytes.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
    }
}
