import JSONReading
import Model

/// The values of a property list in their order, in flat memory and within bounds.
struct PropertyListValues: Sendable {
    enum Kind: Sendable {
        case startObject, endObject, startArray, endArray, key
        /// `string` is also a date, as an instant.
        case null, yes, no, number, string
        case data
        /// What a value is that its type does not allow, such as a number that is infinite.
        case error
    }

    let path: String
    private(set) var kinds: [Kind] = []
    private(set) var bytes: [UInt8] = []
    private var ends: [Int] = []
    private var depth = 0
    private let most: Int
    private let limits: JSONLimits

    init(path: String, most: Int, limits: JSONLimits) {
        (self.path, self.most, self.limits) = (path, most, limits)
    }

    /// The place of a value's bytes.
    func range(_ index: Int) -> Range<Int> { (index == 0 ? 0 : ends[index - 1])..<ends[index] }

    mutating func append(_ kind: Kind, _ text: String) throws(TableFailure) { try append(kind, text.utf8.span) }

    mutating func append(_ kind: Kind, _ bytes: [UInt8]) throws(TableFailure) { try append(kind, bytes.span) }

    mutating func append(_ kind: Kind, _ value: Span<UInt8> = Span()) throws(TableFailure) {
        switch kind {
        case .startObject, .startArray:
            depth += 1
            guard depth <= limits.depth else { throw tooLarge("jsonDepth \(limits.depth)") }
        case .endObject, .endArray: depth -= 1
        case .key, .string: guard value.count <= limits.textBytes else { throw tooLarge("jsonTextBytes \(limits.textBytes)") }
        default: break
        }
        guard value.count <= most - 16 * (kinds.count + 1) - bytes.count else { throw tooLarge("propertyListBytes \(most)") }
        unsafe value.withUnsafeBufferPointer { unsafe bytes.append(contentsOf: $0) }
        kinds.append(kind)
        ends.append(bytes.count)
    }

    /// A number as JSON writes it; a number that is infinite or none is no value.
    mutating func append(_ number: Double) throws(TableFailure) { try append(number.isFinite ? .number : .error, OldValueText.shortest(number)) }

    private func tooLarge(_ limit: String) -> TableFailure { .tooLarge(Place(file: path), kind: PropertyListFormat.kind, limit: limit) }

    func damaged(_ reason: String, line: Int? = nil) -> TableFailure {
        .damaged(Place(file: path, line: line), kind: PropertyListFormat.kind, reason: reason)
    }
}
