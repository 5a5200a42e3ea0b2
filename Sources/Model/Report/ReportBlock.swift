/// A block of a report's section, as the template states it; blocks follow one below the other. The
/// module `Blocks` knows which blocks exist and what each makes of rows.
package struct ReportBlock: Sendable, Hashable {
    /// Which block it is: `table`, `log`.
    package var name: String
    /// Shown only where this holds of the section's row; nil: always.
    package var when: Expression?
    /// The values of the block's keys.
    package var template: PackNode

    init(_ name: String, when: Expression? = nil, _ template: PackNode) {
        self.name = name
        self.when = when
        self.template = template
    }
}

extension ReportBlock {
    init?(_ node: PackNode) {
        guard let name = node.text("block") else { return nil }
        self.init(name, when: node.expression("when"), node)
    }
}
