/// Names of places in a document, as cairo gets them: numbered, for its writer takes no quotes, brackets or letters beyond ASCII.
final class Destinations {
    private var numbers: [String: Int] = [:]
    private var defined: Set<String> = []
    private var wanted: [String] = []

    /// The internal name of a place that a page has.
    func define(_ name: String) -> String? {
        guard defined.insert(name).inserted else { return nil }
        return internalName(name)
    }

    func want(_ name: String) -> String {
        if numbers[name] == nil || !defined.contains(name) { wanted.append(name) }
        return internalName(name)
    }

    /// A name that something points to and no page has.
    var missing: String? { wanted.first { !defined.contains($0) } }

    private func internalName(_ name: String) -> String {
        let number = numbers[name] ?? numbers.count + 1
        numbers[name] = number
        return "d\(number)"
    }
}
