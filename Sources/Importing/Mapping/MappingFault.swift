import Model

/// Why a row, or one of its fields, cannot be made from the contents of the file: a finding without
/// its place.
struct MappingFault: Error {
    var code: String
    /// The cell in A1 form, where there is one.
    var cell: String?
    var field: String?
    var arguments: [String: String] = [:]
}
