/// The navigation of a document: named places, links, the outline.
struct DocumentNavigation {
    private struct Place {
        let page: Int
        let x, y: Double
    }

    private struct Entry {
        let title: String
        let destination: String
        let parent: Int?
        let isOpen: Bool
    }

    private var places: [String: Place] = [:]
    private var outline: [Entry] = []

    /// Defines a named place; if a name is used twice, the first place counts.
    mutating func define(_ name: String, page: Int, x: Double, y: Double) {
        if places[name] == nil { places[name] = Place(page: page, x: x, y: y) }
    }

    mutating func addOutline(_ title: String, to destination: String, below parent: Int?, isOpen: Bool) -> Int {
        outline.append(Entry(title: title, destination: destination, parent: parent, isOpen: isOpen))
        return outline.count - 1
    }

    /// The first destination of a link or outline entry that is not on any page; nil if there is
    /// none.
    func missing(of pages: [PageRecord]) -> String? {
        let wanted = pages.lazy.flatMap(\.links).compactMap { link in
            if case .destination(let name) = link.target { name } else { nil }
        }
        return wanted.first { places[$0] == nil } ?? outline.first { places[$0.destination] == nil }?.destination
    }

    /// Writes every link as an annotation with the flag for printing (ISO 19005-3, 6.3.2).
    /// - Returns: the object numbers of the annotations, in the order of the links.
    func writeLinks(of pages: [PageRecord], to objects: ArchiveObjects) throws -> [Int] {
        var numbers: [Int] = []
        for link in pages.lazy.flatMap(\.links) {
            let number = objects.allocate()
            let goal = switch link.target {
            case .destination(let name): "/Dest\(PDFText.bytes(name))/Contents\(PDFText.string(name))"
            case .uri(let uri): "/A<</S/URI/URI\(PDFText.bytes(uri))>>/Contents\(PDFText.string(uri))"
            }
            let key = link.element == nil ? "" : "/StructParent \(pages.count + numbers.count)"
            let box = [link.left, link.bottom, link.right, link.top].map(PDFText.number).joined(separator: " ")
            try objects.object(number, "<</Type/Annot/Subtype/Link/F 4/Border[0 0 0]/Rect[\(box)]\(key)\(goal)>>")
            numbers.append(number)
        }
        return numbers
    }

    /// The named places, for the catalog's names.
    func names(pages: [Int]) throws -> String {
        guard !places.isEmpty else { return "" }
        let sorted = places.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
        let entries = sorted.map {
            """
            \(PDFText.bytes($0.key))[\(pages[$0.value.page]) 0 R/XYZ \(PDFText.number($0.value.x)) \
            \(PDFText.number($0.value.y)) 0]
            """
        }
        return "/Dests<</Names[\(entries.joined(separator: "\n"))]>>"
    }

    /// - Returns: the number of the outline's root; nil if there are no entries.
    func writeOutline(to objects: ArchiveObjects) throws -> Int? {
        guard !outline.isEmpty else { return nil }
        let root = objects.allocate()
        let numbers = outline.map { _ in objects.allocate() }
        let children = Dictionary(grouping: outline.indices) { outline[$0].parent }
        func ends(_ parent: Int?) -> String {
            guard let own = children[parent], let first = own.first, let last = own.last else { return "" }
            let isOpen = parent.map { outline[$0].isOpen } ?? true
            return "/First \(numbers[first]) 0 R/Last \(numbers[last]) 0 R/Count \(isOpen ? own.count : -own.count)"
        }
        var texts = [String](repeating: "", count: outline.count)
        for (parent, own) in children {
            for (place, index) in own.enumerated() {
                var text =
                    """
                    <</Title\(PDFText.string(outline[index].title))/Dest\(PDFText.bytes(outline[index].destination))/\
                    Parent \(parent.map { numbers[$0] } ?? root) 0 R
                    """
                if place > 0 { text += "/Prev \(numbers[own[place - 1]]) 0 R" }
                if place + 1 < own.count { text += "/Next \(numbers[own[place + 1]]) 0 R" }
                texts[index] = text + ends(index) + ">>"
            }
        }
        for (number, text) in zip(numbers, texts) { try objects.object(number, text) }
        try objects.object(root, "<</Type/Outlines\(ends(nil))>>")
        return root
    }
}
