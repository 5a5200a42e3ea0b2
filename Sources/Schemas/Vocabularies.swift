internal import JSONReading

/// The vocabularies of draft 2020-12 whose keywords apply in a schema: all of them, unless its
/// meta-schema says otherwise.
struct Vocabularies: OptionSet, Sendable {
    let rawValue: UInt8

    static let applicator = Vocabularies(rawValue: 1)
    static let unevaluated = Vocabularies(rawValue: 2)
    static let validation = Vocabularies(rawValue: 4)
    static let formatAssertion = Vocabularies(rawValue: 8)
    static let standard: Vocabularies = [.applicator, .unevaluated, .validation]

    /// Reads `$vocabulary` of a meta-schema; nil if it requires an unknown vocabulary.
    init?(_ value: JSONValue?) {
        guard let members = value?.members else {
            self = .standard
            return
        }
        var found: Vocabularies = []
        for member in members {
            let name = member.key.hasPrefix(MetaSchema.vocabularyBase) ? String(member.key.dropFirst(MetaSchema.vocabularyBase.count)) : ""
            switch name {
            case "core", "meta-data", "format-annotation", "content": break
            case "applicator": found.insert(.applicator)
            case "unevaluated": found.insert(.unevaluated)
            case "validation": found.insert(.validation)
            case "format-assertion": found.insert(.formatAssertion)
            default: if member.value == .bool(true) { return nil }
            }
        }
        self = found
    }

    init(rawValue: UInt8) {
        self.rawValue = rawValue
    }
}
