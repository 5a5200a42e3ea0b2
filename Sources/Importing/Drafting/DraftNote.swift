/// Something that a drafted pack could not decide, or decided by little evidence: a comment in its
/// files. Text: `draft.note.KEY`.
struct DraftNote: Hashable {
    var key: String
    var arguments: [String: String] = [:]

    init(_ key: String, _ arguments: [String: String] = [:]) { (self.key, self.arguments) = (key, arguments) }
}
