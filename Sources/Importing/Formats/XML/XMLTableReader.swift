/// Makes rows from the elements of one path. The columns are attributes, child elements and their
/// contents, by path from the row. Then follow the values of the elements that enclose the row, as
/// `../@codigo` and `../nombre`; children of these elements count only if they precede the row.
final class XMLTableReader: MarkupHandler {
    let columns: [String]
    private(set) var exceeded: String?
    private let root: XMLOutline.Node?
    private let row: XMLOutline.Node
    private let limits: TableLimits
    private var indices: [ObjectIdentifier: [String: Int]] = [:]
    private var path: [XMLOutline.Node] = []
    /// Depth of the open row; nil outside rows.
    private var rowDepth: Int?
    private var line = 0
    private var values: [Int: [UInt8]] = [:]
    /// Values, read so far, of the elements that enclose the next row.
    private var inherited: [Int: [UInt8]] = [:]
    /// Columns that an enclosing element resets each time it begins.
    private var inheritedColumns: [ObjectIdentifier: [Int]] = [:]
    private var text: [UInt8] = []
    /// Rows not yet moved to a batch, from index `taken` on.
    private var rows: [(line: Int, values: [Int: [UInt8]])] = []
    private var taken = 0
    private var count = 0

    /// Name of the column for the text directly in an element.
    private static let ownText = ""

    init(_ row: XMLOutline.Node, in root: XMLOutline.Node?, limits: TableLimits) {
        self.row = row
        self.root = root
        self.limits = limits
        var columns: [String] = []
        var indices: [ObjectIdentifier: [String: Int]] = [:]
        Self.addColumns(of: row, prefix: "", to: &columns, &indices)
        var (prefix, within, around) = ("..", row, row.parent)
        while let node = around {
            let first = columns.count
            Self.addColumns(of: node, prefix: prefix, besides: within, to: &columns, &indices)
            inheritedColumns[ObjectIdentifier(node)] = Array(first..<columns.count)
            (prefix, within, around) = (prefix + "/..", node, node.parent)
        }
        self.columns = columns
        self.indices = indices
    }

    /// Adds the columns of an element and its contents, except for `besides`, whose columns were
    /// added before.
    private static func addColumns(
        of row: XMLOutline.Node, prefix: String, besides: XMLOutline.Node? = nil, to columns: inout [String],
        _ indices: inout [ObjectIdentifier: [String: Int]]
    ) {
        var waiting: [(String, XMLOutline.Node)] = [(prefix, row)]
        while let (prefix, node) = waiting.popLast() {
            for attribute in node.attributes {
                indices[ObjectIdentifier(node), default: [:]]["@" + attribute] = columns.count
                columns.append(prefix.isEmpty ? "@" + attribute : prefix + "/@" + attribute)
            }
            if node.children.isEmpty {
                indices[ObjectIdentifier(node), default: [:]][Self.ownText] = columns.count
                columns.append(prefix.isEmpty ? node.name : prefix)
            }
            // Elements that form a table are not columns of this table.
            waiting += node.children.filter { !$0.isTable && $0 !== besides }.reversed().map {
                (prefix.isEmpty ? $0.name : prefix + "/" + $0.name, $0)
            }
        }
    }

    /// Moves rows to the batch until it is full; returns false if no row is left.
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
            values = inherited
        } else if rowDepth == nil, let columns = inheritedColumns[ObjectIdentifier(node)] {
            for column in columns { inherited[column] = nil }
        }
        guard let own = indices[ObjectIdentifier(node)] else { return }
        for attribute in attributes { put(Array(attribute.value.utf8), at: own["@" + attribute.name]) }
    }

    func end(_ name: String) {
        guard let node = path.popLast() else { return }
        if let column = indices[ObjectIdentifier(node)]?[Self.ownText] {
            let spaces: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D]
            while let byte = text.last, spaces.contains(byte) { text.removeLast() }
            put(Array(text.drop { spaces.contains($0) }), at: column)
        }
        text.removeAll(keepingCapacity: true)
        guard let depth = rowDepth, path.count < depth else { return }
        rowDepth = nil
        count += 1
        if count > limits.rows { exceeded = "rows \(limits.rows)" }
        rows.append((line, values))
    }

    func text(_ bytes: [UInt8]) {
        guard let node = path.last, indices[ObjectIdentifier(node)]?[Self.ownText] != nil else { return }
        if text.count + bytes.count > limits.cellBytes {
            exceeded = "cellBytes \(limits.cellBytes)"
        } else {
            text += bytes
        }
    }

    /// Stores a value; if the row already has one, it is appended on a new line.
    private func put(_ value: [UInt8], at column: Int?) {
        guard let column, !value.isEmpty else { return }
        let before = rowDepth == nil ? inherited[column] : values[column]
        guard (before?.count ?? 0) + value.count < limits.cellBytes else {
            exceeded = "cellBytes \(limits.cellBytes)"
            return
        }
        let whole = before.map { $0 + [0x0A] + value } ?? value
        if rowDepth == nil { inherited[column] = whole } else { values[column] = whole }
    }
}
