/// Why a table cannot be read, in English.
struct DBFDamage: Error {
    let reason: String
    /// Record, counted from one.
    let record: Int?

    init(_ reason: String, record: Int? = nil) {
        self.reason = reason
        self.record = record
    }
}
