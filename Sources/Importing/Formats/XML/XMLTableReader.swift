/// Makes rows of the elements of one path: columns are attributes, child elements and what these hold, by their path from the row.
final class XMLTableReader: MarkupHandler {
    let columns: [String]
    private(set) var exceeded: String?
    private let root: XMLOutline.Node?
    private let row: XMLOutline.Node
    private let limits: TableLimits
    private var indices: [ObjectIdentifier: [String: Int]] = [:]
    private var path: [XMLOutline.Node] = []
    /// How deep the row that is open lies; nil outside rows.
    private var rowDepth: Int?
    private var line = 0
    private var values: [Int: [UInt8]] = [:]
    private var text: [UInt8] = []
    /// Rows that wait for a batch, from `taken` on.
    private var rows: [(line: Int, values: [Int: [UInt8]])] = []
    private var taken = 0
    private var count = 0

    /// Column of an element's own text.
    private static let ownText = ""

    init(_ row: XMLOutline.Node, in root: XMLOutline.Node?, limits: TableLimits) {
        self.row = row
        self.root = root
        self.limits = limits
        var columns: [String] = []
        var indices: [ObjectIdentifier: [String: Int]] = [:]
        var waiting: [(String, XMLOutline.Node)] = [("", row)]
        while let (prefix, node) = waiting.popLast() {
            for attribute in node.attributes {
                indices[ObjectIdentifier(node), default: [:]]["@" + attribute] = columns.count
                columns.append(prefix.isEmpty ? "@" + attribute : prefix + "/@" + attribute)
            }
            if node.children.isEmpty {
                indices[ObjectIdentifier(node), default: [:]][Self.ownText] = columns.count
                columns.append(prefix.isEmpty ? node.name : prefix)
            }
            // Elements that make a table of their own are no columns here.
            waiting += node.children.filter { !$0.isTable }.reversed().map { (prefix.isEmpty ? $0.name : prefix + "/" + $0.name, $0) }
        }
        self.columns = columns
        self.indices = indices
    }

    /// Moves rows until the batch is full; false when none is left.
    func move(to batch: inout ForeignBatch) -> Bool {
        while taken < rows.count, !batch.isFull {
            let row = rows[taken]
            taken += 1
            for (column, value) in row.values.sorted(by: { $0.key < $1.key }) {
                while batch.openWidth < column { batch.appendEmpty() }
                batch.append(.text, value.span)
            }
            batch.endRowUnlessBlank(number: row.line)
        }
        guard taken == rows.count else { return true }
        rows.removeAll()
        taken = 0
        return false
    }

    func start(_ name: String, namespace: String, attributes: [(name: String, value: String)], line: Int) {
        guard let node = path.last.map({ $0.child(name, namespace) }) ?? root else { return }
        path.append(node)
        text.removeAll(keepingCapacity: true)
        if node === row, rowDepth == nil {
            rowDepth = path.count
            self.line = line
            values.removeAll()
        }
        guard rowDepth != nil, let own = indices[ObjectIdentifier(node)] else { return }
        for attribute in attributes { put(Array(attribute.value.utf8), at: own["@" + attribute.name]) }
    }

    func end(_ name: String) {
        guard let node = path.popLast(), let depth = rowDepth else { return }
        if let column = indices[ObjectIdentifier(node)]?[Self.ownText] {
            let spaces: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D]
            while let byte = text.last, spaces.contains(byte) { text.removeLast() }
            put(Array(text.drop { spaces.contains($0) }), at: column)
        }
        text.removeAll(keepingCapacity: true)
        guard path.count < depth else { return }
        rowDepth = nil
        count += 1
        if count > limits.rows { exceeded = "rows \(limits.rows)" }
        rows.append((line, values))
    }

    func text(_ bytes: [UInt8]) {
        guard rowDepth != nil else { return }
        if text.count + bytes.count > limits.cellBytes { exceeded = "cellBytes \(limits.cellBytes)" } else { text += bytes }
    }

    /// A value that comes again within a row stands on a line of its own.
    private func put(_ value: [UInt8], at column: Int?) {
        guard let column, !value.isEmpty else { return }
        guard let before = values[column] else {
            values[column] = value
            return
        }
        guard before.count + value.count < limits.cellBytes else {
            exceeded = "cellBytes \(limits.cellBytes)"
            return
        }
        values[column, default: []] += [0x0A] + value
    }
}
