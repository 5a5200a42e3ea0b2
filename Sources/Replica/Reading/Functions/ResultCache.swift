/// A cache of results for the last texts: queries call a function with the same texts again and
/// again. When full, it is emptied.
final class ResultCache<Value> {
    private var values: [String: Value] = [:]
    private let limit: Int

    init(limit: Int) {
        self.limit = limit
    }

    func value(of text: String, _ make: (String) -> Value) -> Value {
        if let known = values[text] { return known }
        let made = make(text)
        if values.count >= limit { values.removeAll(keepingCapacity: true) }
        values[text] = made
        return made
    }
}
