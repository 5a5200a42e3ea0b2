/// A part of a document as a screen reader presents it (ISO 32000-1, 14.7): a heading, a paragraph,
/// a row of a table, a drawing. Its children are read in the order in which they were added.
package final class StructureElement {
    package enum Kind: Sendable, Hashable {
        case document, section, paragraph, table, row, headerCell, cell, figure, link, list, item, label, body
        case heading(Int)
        /// Purely visual content: frames, repeated heads, page numbers.
        case artifact

        var name: String {
            switch self {
            case .document: "Document"
            case .section: "Sect"
            case .paragraph: "P"
            case .table: "Table"
            case .row: "TR"
            case .headerCell: "TH"
            case .cell: "TD"
            case .figure: "Figure"
            case .link: "Link"
            case .list: "L"
            case .item: "LI"
            case .label: "Lbl"
            case .body: "LBody"
            case .heading(let level): "H\(max(1, min(level, 6)))"
            case .artifact: "Artifact"
            }
        }

        /// Whether an element of this kind contains only other elements, and no content directly.
        package var isContainer: Bool {
            switch self {
            case .document, .section, .table, .row, .list, .item: true
            default: false
            }
        }
    }

    enum Part {
        case element(StructureElement)
        /// A marked content of a page; page and content are counted from 0.
        case mark(page: Int, number: Int)
        /// A link, by its index among the document's links.
        case link(Int)
    }

    package let kind: Kind
    /// The alternative text of a figure for readers who cannot see it.
    package let alternative: String?
    /// The number of columns that a cell spans.
    package let columns: Int
    var parts: [Part] = []

    package init(_ kind: Kind, alternative: String? = nil, columns: Int = 1) {
        self.kind = kind
        self.alternative = alternative
        self.columns = columns
    }

    /// Adds a part at the end.
    package func child(_ kind: Kind, alternative: String? = nil, columns: Int = 1) -> StructureElement {
        let child = StructureElement(kind, alternative: alternative, columns: columns)
        if kind != .artifact { parts.append(.element(child)) }
        return child
    }

    package func add(_ child: StructureElement) { parts.append(.element(child)) }

    /// Whether any part of the element is on a page. Every cell counts, so that rows keep their
    /// columns.
    var isFilled: Bool {
        if kind == .cell || kind == .headerCell { return true }
        return parts.contains { part in
            if case .element(let child) = part { child.isFilled } else { true }
        }
    }
}
