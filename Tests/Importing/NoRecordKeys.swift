import Model

/// A replica that has no rows.
final class NoRecordKeys: RecordKeys {
    func match(_ entity: String, _ key: [(field: String, value: String)]) -> KeyMatch { .none }
    func isEmpty(_ entity: String) -> Bool { true }
}
