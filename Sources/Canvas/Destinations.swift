/// Names of places in a document, as passed to cairo: numbered, because its writer accepts no
/// quotes, brackets or letters beyond ASCII.
final class Destinations {
    private var numbers: [String: Int] = [:]
    private var defined: Set<String> = []
    private var wanted: [String] = []

    /// Defines a place and returns its internal name; nil when the name is already taken.
    func define(_ name: String) -> String? {
        guard defined.insert(name).inserted else { return nil }
        return internalName(name)
    }

    func want(_ name: String) -> String {
        if !defined.contains(name) { wanted.append(name) }
        return internalName(name)
    }

    /// A name that a link points to and no page defines.
    var missing: String? { wanted.first { !defined.contains($0) } }

    private func internalName(_ name: String) -> String {
        let number = numbers[name] ?? numbers.count + 1
        numbers[name] = number
        return "d\(number)"
    }
}
