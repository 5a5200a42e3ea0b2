internal import Model

/// Counts an XML document in two passes. The first finds the elements that repeat, which are rows.
/// The second counts their attributes and elements, each for the nearest enclosing row. Values that
/// a row copies from enclosing elements (`../@codigo`) are counted only in those elements.
enum XMLCount: FileCount {
    static let kind = "xml"

    static func count(_ file: SourceFile, _ options: SourceCounter.Options) throws(CountFault) -> SourceCount {
        let outline = ElementTree()
        try MarkupStream.read(file, outline)
        let rows = RowContents(outline)
        try MarkupStream.read(file, rows)
        return SourceCount(tables: try rows.tables(), columnsByName: true)
    }
}

/// The elements of a document by path, and which of them occur more than once within one parent.
private final class ElementTree: MarkupReceiver {
    final class Node {
        let name: String
        var path = ""
        var children: [String: Node] = [:]
        var order: [Node] = []
        var attributes: [String] = []
        var repeats = false
        var turn = 0
        var turnOfParent = -1
        var table: Int?

        init(_ name: String) { self.name = name }

        var isRow: Bool { repeats && !(order.isEmpty && attributes.isEmpty) }
    }

    private(set) var fault: CountFault?
    /// The limit on columns.
    private let most = ColumnCounts.mostColumns
    let top = Node("")
    private var open: [Node] = []
    private var count = 0

    func open(_ element: MarkupElement) {
        let parent = open.last ?? top
        let key = element.namespace + " " + element.name
        let node = parent.children[key] ?? Node(element.name)
        if parent.children[key] == nil {
            parent.children[key] = node
            parent.order.append(node)
            count += 1
        }
        if node.turnOfParent == parent.turn { node.repeats = true }
        node.turnOfParent = parent.turn
        node.turn += 1
        for attribute in element.attributes where !node.attributes.contains(attribute.name) {
            node.attributes.append(attribute.name)
            count += 1
        }
        if count > most { fault = .tooLarge("columns \(most)") }
        open.append(node)
    }

    func close(_ name: String) { _ = open.popLast() }
}

private final class RowContents: MarkupReceiver {
    private struct Table {
        let name: String
        var columns: [String: Int] = [:]
        var names: [String] = []
        var counts = ColumnCounts(textNumbers: true)
        /// Values of the open row by column: how often each occurred, and its value as a number.
        var row: [Int: (times: Int, number: Double?)] = [:]
        var hasBlankRow = false
    }

    private struct Element {
        let node: ElementTree.Node
        /// The enclosing row, and the path from it.
        let table: Int?
        let path: String
        /// The path with namespaces, because equal names in two namespaces are two columns.
        let key: String
    }

    private(set) var fault: CountFault?
    private let top: ElementTree.Node
    private var found: [Table] = []
    private var open: [Element] = []
    private var text: [UInt8] = []
    private var isLong = false

    init(_ tree: ElementTree) {
        top = tree.top
        var waiting = top.order.map { ($0, "/" + $0.name) }
        while let (node, path) = waiting.popLast() {
            if node.isRow {
                node.table = found.count
                found.append(Table(name: path))
            }
            waiting += node.order.reversed().map { ($0, path + "/" + $0.name) }
        }
        if found.isEmpty, let root = top.order.first {
            root.table = 0
            found.append(Table(name: "/" + root.name))
        }
    }

    func open(_ element: MarkupElement) {
        guard let node = (open.last?.node ?? top).children[element.namespace + " " + element.name] else { return }
        let around = open.last
        let this = node.table != nil
            ? Element(node: node, table: node.table, path: "", key: "")
            : Element(
                node: node, table: around?.table,
                path: around.map { $0.path.isEmpty ? node.name : $0.path + "/" + node.name } ?? node.name,
                key: (around?.key ?? "") + "/" + element.namespace + " " + node.name)
        open.append(this)
        text = []
        isLong = false
        for attribute in element.attributes {
            put(
                Array(attribute.value.utf8), isLong: false, this,
                this.path.isEmpty ? "@" + attribute.name : this.path + "/@" + attribute.name,
                key: this.key + "/@" + attribute.name)
        }
    }

    func close(_ name: String) {
        guard let element = open.popLast() else { return }
        if element.node.order.isEmpty {
            let spaces: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D]
            while let byte = text.last, !isLong, spaces.contains(byte) { text.removeLast() }
            put(
                text, isLong: isLong, element, element.path.isEmpty ? element.node.name : element.path, key: element.key
            )
        }
        text = []
        isLong = false
        guard let index = element.node.table else { return }
        do throws(CountFault) {
            for (column, value) in found[index].row {
                try found[index].counts.fill(column, textNumber: value.times == 1 ? value.number : nil)
            }
        } catch { fault = error }
        if found[index].row.isEmpty { found[index].hasBlankRow = true }
        found[index].counts.endRow()
        found[index].row = [:]
    }

    /// Stores the start of an element's text, without leading white space.
    func text(_ bytes: Span<UInt8>) {
        guard open.last?.node.order.isEmpty ?? false else { return }
        for index in bytes.indices {
            let byte = bytes[index]
            if text.isEmpty, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { continue }
            if text.count < 65 { text.append(byte) } else { isLong = true }
        }
    }

    private func put(_ value: [UInt8], isLong: Bool, _ element: Element, _ name: String, key: String) {
        guard let index = element.table, !value.isEmpty else { return }
        let column: Int
        if let known = found[index].columns[key] {
            column = known
        } else {
            column = found[index].names.count
            found[index].columns[key] = column
            found[index].names.append(name)
        }
        let before = found[index].row[column]?.times ?? 0
        found[index].row[column] = (before + 1, isLong ? nil : NumberText.plain(value.span))
    }

    func tables() throws(CountFault) -> [TableCount] {
        var tables: [TableCount] = []
        for table in found {
            var counts = table.counts
            for (index, name) in table.names.enumerated() { try counts.name(index, name) }
            var count = counts.table(table.name)
            // A row without values may copy some from enclosing elements, so rows are not compared.
            if table.hasBlankRow { count.rows = nil }
            tables.append(count)
        }
        return tables
    }
}
