/// What was set on a page beside its lines and letters.
package final class PageRecord {
    /// Counted from 0.
    let index: Int
    /// In points.
    let height: Double
    /// The structure elements of the page's marked contents, in their order.
    private(set) var marks: [StructureElement] = []
    private(set) var links: [PageLink] = []
    private(set) var places: [(name: String, x: Double, y: Double)] = []

    /// How many links earlier pages have.
    let firstLink: Int

    init(index: Int, height: Double, firstLink: Int) {
        self.index = index
        self.height = height
        self.firstLink = firstLink
    }

    /// Counts the next marked content as a part of an element.
    package func mark(_ element: StructureElement) {
        element.parts.append(.mark(page: index, number: marks.count))
        marks.append(element)
    }

    /// - Parameters:
    ///   - x, y, width, height: in points from the upper left corner.
    package func link(
        to target: PageLink.Target, x: Double, y: Double, width: Double, height: Double, in element: StructureElement?
    ) {
        element?.child(.link).parts.append(.link(firstLink + links.count))
        links.append(PageLink(target: target, left: x, top: self.height - y, right: x + width, bottom: self.height - y - height, element: element))
    }

    /// Names a place, in points from the upper left corner.
    package func place(_ name: String, x: Double, y: Double) { places.append((name, x, height - y)) }
}

/// A box of a page that leads elsewhere. Points from the lower left corner, as PDF counts.
package struct PageLink {
    package enum Target: Sendable, Hashable {
        case destination(String)
        case uri(String)
    }

    let target: Target
    let left, top, right, bottom: Double
    let element: StructureElement?
}
