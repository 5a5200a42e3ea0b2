/// The rule by which rows are left out of a sheet because too few people stand behind them:
/// k-anonymity over the columns that together might tell who somebody is.
package struct Suppression: Sendable, Hashable {
    /// The columns of the sheet that together might tell it, as the sheet shows them.
    package var by: [String]
    /// The column that tells people apart.
    package var of: String
    /// Groups with fewer people are left out.
    package var below: Int
}

extension Suppression {
    init?(_ node: PackNode) {
        guard let of = node.text("of"), let below = node.integer("below") else { return nil }
        self.init(by: node.texts("by"), of: of, below: below)
    }
}
