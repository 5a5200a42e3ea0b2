/// A row by its entity and id.
struct RowKey: Hashable {
    var entity: String
    var id: String
}
