import Glibc

/// The values of a closed vocabulary as bytes. The value of the last match is tried first, since
/// rows in order repeat it.
struct XMLChoices {
    private var values: [[UInt8]]
    private var last = 0

    init?(_ type: XMLType) {
        guard case .choice(let values) = type, !values.isEmpty else { return nil }
        self.values = values.map { Array($0.utf8) }
    }

    mutating func contains(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        if unsafe isEqual(values[last], bytes) { return true }
        for index in values.indices where unsafe isEqual(values[index], bytes) {
            last = index
            return true
        }
        return false
    }

    @inline(__always) private func isEqual(_ value: [UInt8], _ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard value.count == bytes.count else { return false }
        guard let start = bytes.baseAddress else { return true }
        return unsafe memcmp(value, start, bytes.count) == 0
    }
}
