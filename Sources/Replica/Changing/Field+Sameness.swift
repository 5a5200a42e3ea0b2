import JSONReading
import Model

extension Field {
    /// Whether two values of the field say the same, however they are written: JSON may have its
    /// members in another order, a moment another time zone.
    func isSame(_ one: MemoryRows.Value, _ other: MemoryRows.Value) -> Bool {
        if one == other { return true }
        guard case .text(let first) = one, case .text(let second) = other else { return false }
        switch type {
        case .json, .point, .polygon, .list:
            guard let left = try? JSONValue.stored(first), let right = try? JSONValue.stored(second) else { return false }
            return left.isSame(as: right)
        case .datetime:
            guard let left = Timestamp.microseconds(first), let right = Timestamp.microseconds(second) else { return false }
            return left == right
        default: return false
        }
    }
}

extension JSONValue {
    /// Whether two values say the same; the order of an object's members does not matter, nor how a
    /// number is written.
    fileprivate func isSame(as other: JSONValue) -> Bool {
        switch (self, other) {
        case (.number(let one), .number(let two)): return one == two || Double(one) == Double(two)
        case (.array(let one), .array(let two)): return one.count == two.count && zip(one, two).allSatisfy { $0.isSame(as: $1) }
        case (.object(let one), .object(let two)):
            return one.count == two.count && one.allSatisfy { member in other[member.key]?.isSame(as: member.value) == true }
        default: return self == other
        }
    }
}
