/// A block of a report's section, one below the other: what the template says. Which blocks there are and what they make of rows, the
/// room `Blocks` knows.
package struct ReportBlock: Sendable, Hashable {
    /// Which block it is: `table`, `log`.
    package var name: String
    /// Shown only where this holds of the section's row; nil: always.
    package var when: Expression?
    /// What stands under the block's keys.
    package var template: TemplateNode

    package init(_ name: String, when: Expression? = nil, _ template: TemplateNode) {
        self.name = name
        self.when = when
        self.template = template
    }
}
