internal import Model

// What the shapes have already been checked for, as words of `Model`; nil where it is missing or was reported.
extension YAMLNode {
    func path(_ key: String) -> FieldPath? { text(key).map { FieldPath($0) } }
    func expression(_ key: String) -> Expression? { text(key).flatMap { try? ExpressionParser.parse($0) } }
    func word<Word: RawRepresentable>(_ key: String, _ type: Word.Type) -> Word? where Word.RawValue == String {
        text(key).flatMap(Word.init)
    }
}
