/// Writes a document's structure: its elements, and the tree that leads from a page's marked
/// contents and links back to them (ISO 32000-1, 14.7).
struct StructureWriter {
    let objects: ArchiveObjects
    /// The numbers of the pages' objects.
    let pages: [Int]
    let pageRecords: [PageRecord]
    /// The numbers of the links' objects.
    let links: [Int]

    /// The object number of the element that contains each marked content and each link.
    private final class Owners {
        var marks: [[Int]]
        var links: [Int?]
        let linkPages: [Int]
        private var level = 0

        init(of pages: [PageRecord]) {
            marks = pages.map { [Int](repeating: 0, count: $0.marks.count) }
            linkPages = pages.flatMap { page in page.links.map { _ in page.index } }
            links = linkPages.map { _ in nil }
        }

        /// The level of the next heading: a heading is at most one level below the previous one.
        func next(_ level: Int) -> Int {
            self.level = min(level, self.level + 1)
            return self.level
        }
    }

    /// - Returns: the object number of the structure's root.
    func write(_ document: StructureElement) throws -> Int {
        let root = objects.allocate()
        let owners = Owners(of: pageRecords)
        let top = try write(document, below: root, owners)
        var tree: [String] = []
        for (index, marks) in owners.marks.enumerated() {
            let number = objects.allocate()
            // A mark whose element is not in the tree belongs to the document.
            try objects.object(number, "[\(marks.map { "\($0 == 0 ? top : $0) 0 R" }.joined(separator: " "))]")
            tree.append("\(index) \(number) 0 R")
        }
        for (index, owner) in owners.links.enumerated() {
            if let owner { tree.append("\(pages.count + index) \(owner) 0 R") }
        }
        let parents = objects.allocate()
        try objects.object(parents, "<</Nums[\(tree.joined(separator: "\n"))]>>")
        try objects.object(
            root,
            """
            <</Type/StructTreeRoot/K \(top) 0 R/ParentTree \(parents) 0 R/ParentTreeNextKey \
            \(pages.count + links.count)>>
            """
        )
        return root
    }

    private func write(_ element: StructureElement, below parent: Int, _ owners: Owners) throws -> Int {
        let number = objects.allocate()
        let kind =
            if case .heading(let level) = element.kind { StructureElement.Kind.heading(owners.next(level)) } else {
                element.kind
            }
        var page: Int?
        var kids: [String] = []
        for part in element.parts {
            switch part {
            case .element(let child):
                guard child.isFilled else { continue }
                kids.append("\(try write(child, below: number, owners)) 0 R")
            case .mark(let index, let mark):
                owners.marks[index][mark] = number
                if page == nil { page = index }
                kids.append(page == index ? "\(mark)" : "<</Type/MCR/Pg \(pages[index]) 0 R/MCID \(mark)>>")
            case .link(let index):
                owners.links[index] = number
                kids.append("<</Type/OBJR/Obj \(links[index]) 0 R/Pg \(pages[owners.linkPages[index]]) 0 R>>")
            }
        }
        var text = "<</S/\(kind.name)/P \(parent) 0 R"
        if let page { text += "/Pg \(pages[page]) 0 R" }
        if kids.count == 1 {
            text += "/K \(kids[0])"
        } else if !kids.isEmpty {
            text += "/K[\(kids.joined(separator: " "))]"
        }
        if let alternative = element.alternative { text += "/Alt\(PDFText.string(alternative))" }
        if element.kind == .headerCell {
            text += "/A<</O/Table/Scope/Column>>"
        } else if element.columns > 1 {
            text += "/A<</O/Table/ColSpan \(element.columns)>>"
        }
        try objects.object(number, text + ">>")
        return number
    }
}
