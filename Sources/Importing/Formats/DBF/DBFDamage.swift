/// Why a table cannot be read, in English.
struct DBFDamage: Error {
    let reason: String
    /// Number of the record, counted from 1.
    let record: Int?

    init(_ reason: String, record: Int? = nil) {
        self.reason = reason
        self.record = record
    }
}
