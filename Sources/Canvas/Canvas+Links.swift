internal import CCairo
internal import PDFArchive

/// The target of a link.
package enum LinkTarget: Sendable, Hashable {
    /// A name given with `destination(named:at:)`, on an earlier or a later page.
    case destination(String)
    case uri(String)
}

extension Canvas {
    /// Names a place of this page, for links and outlines. The first place with a name keeps it.
    /// Only a PDF has named places.
    package func destination(named name: String, at place: Point) {
        let point = onPage(place)
        page?.place(name, x: point.x, y: point.y)
    }

    /// Turns a box into a link, which belongs to the element that is drawn. Only a PDF has links;
    /// elsewhere nothing happens.
    package func link(to target: LinkTarget, in box: Box) {
        guard let page else { return }
        let area = onPage(box)
        let goal: PageLink.Target = switch target {
        case .destination(let name): .destination(name)
        case .uri(let uri): .uri(Self.plain(uri))
        }
        page.link(to: goal, x: area.x, y: area.y, width: area.width, height: area.height, in: element)
    }

    /// Notes that the lower edge of a box is a line on which somebody signs, for the program that
    /// adds signatures. Only a PDF has such notes.
    package func signatureLine(_ box: Box) {
        let area = onPage(box)
        page?.signatureLine(x: area.x, y: area.y, width: area.width, height: area.height)
    }

    /// Percent-encodes what is no part of an address.
    private static func plain(_ uri: String) -> String {
        let hex = Array("0123456789ABCDEF")
        return uri.utf8.reduce(into: "") { text, byte in
            if (33...126).contains(byte), !Array("()'\\\"<>".utf8).contains(byte) {
                text.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                text += "%\(hex[Int(byte >> 4)])\(hex[Int(byte & 15)])"
            }
        }
    }
}
