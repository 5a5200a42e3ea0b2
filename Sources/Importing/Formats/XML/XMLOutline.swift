/// The elements of a document by path. Those that repeat are its tables.
final class XMLOutline: MarkupHandler {
    final class Node {
        let name: String
        let namespace: String
        private(set) var children: [Node] = []
        private(set) weak var parent: Node?
        private(set) var attributes: [String] = []
        /// Whether one parent contains the element more than once.
        fileprivate(set) var repeats = false
        /// The number of the element's current occurrence, and the parent's occurrence that last
        /// contained it.
        fileprivate var occurrence = 0
        fileprivate var lastParent = -1
        private var byName: [String: Node] = [:]
        private var knownAttributes: Set<String> = []

        init(name: String, namespace: String) {
            self.name = name
            self.namespace = namespace
        }

        /// An element without children and attributes is a value, not a row.
        var isTable: Bool { repeats && !(children.isEmpty && attributes.isEmpty) }

        func child(_ name: String, _ namespace: String) -> Node? {
            byName[namespace + " " + name]
        }

        fileprivate func add(_ child: Node) {
            children.append(child)
            child.parent = self
            byName[child.namespace + " " + child.name] = child
        }

        /// Returns false for a known attribute.
        fileprivate func addAttribute(_ name: String) -> Bool {
            guard knownAttributes.insert(name).inserted else { return false }
            attributes.append(name)
            return true
        }
    }

    private(set) var root: Node?
    private(set) var exceeded: String?
    private var path: [Node] = []
    private var nodes = 0
    private let limits: TableLimits

    init(limits: TableLimits) {
        self.limits = limits
    }

    func start(_ name: String, namespace: String, attributes: [(name: String, value: String)], line: Int) {
        let node: Node
        if let known = path.last.map({ $0.child(name, namespace) }) ?? root {
            node = known
        } else {
            node = Node(name: name, namespace: namespace)
            nodes += 1
            if let parent = path.last { parent.add(node) } else { root = node }
        }
        let parent = path.last?.occurrence ?? 0
        if node.lastParent == parent { node.repeats = true }
        node.lastParent = parent
        node.occurrence += 1
        for attribute in attributes where node.addAttribute(attribute.name) { nodes += 1 }
        if nodes > limits.columns { exceeded = "columns \(limits.columns)" }
        path.append(node)
    }

    func end(_ name: String) {
        _ = path.popLast()
    }

    func text(_ bytes: [UInt8]) {}

    /// The tables with their paths; the root, if nothing repeats.
    var tables: [(path: String, node: Node)] {
        guard let root else { return [] }
        var found: [(String, Node)] = []
        var waiting: [(String, Node)] = [("/" + root.name, root)]
        while let (path, node) = waiting.popLast() {
            if node.isTable { found.append((path, node)) }
            waiting += node.children.reversed().map { (path + "/" + $0.name, $0) }
        }
        return found.isEmpty ? [("/" + root.name, root)] : found
    }
}
