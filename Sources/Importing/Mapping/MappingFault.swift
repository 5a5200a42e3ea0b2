import Model

/// Why a row, or a field of it, cannot be made of what stands in the file: a finding without its place.
struct MappingFault: Error {
    var code: String
    /// The cell in A1 form, where it is one.
    var cell: String?
    var field: String?
    var arguments: [String: String] = [:]
}
