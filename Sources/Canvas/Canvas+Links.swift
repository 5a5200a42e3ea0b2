internal import CCairo

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
        guard kind == .pdf, let known = destinations?.define(name) else { return }
        let point = onPage(place)
        inGroup {
            unsafe cairo_identity_matrix(context)
            unsafe cairo_tag_begin(context, CAIRO_TAG_DEST, "name='\(known)' x=\(number(point.x)) y=\(number(point.y))")
            unsafe cairo_tag_end(context, CAIRO_TAG_DEST)
        }
    }

    /// Turns a box into a link. Only a PDF has links; elsewhere nothing happens.
    package func link(to target: LinkTarget, in box: Box) {
        guard kind == .pdf, let destinations else { return }
        let area = onPage(box)
        let goal = switch target {
        case .destination(let name): "dest='\(destinations.want(name))'"
        case .uri(let uri): "uri='\(Self.plain(uri))'"
        }
        inGroup {
            unsafe cairo_identity_matrix(context)
            let place = "rect=[\(number(area.x)) \(number(area.y)) \(number(area.width)) \(number(area.height))]"
            unsafe cairo_tag_begin(context, CAIRO_TAG_LINK, "\(place) \(goal)")
            unsafe cairo_tag_end(context, CAIRO_TAG_LINK)
        }
    }

    /// Formats a number to hundredths of a point, never with an exponent.
    private func number(_ value: Double) -> String {
        let hundredths = Int((max(-1e6, min(value.isFinite ? value : 0, 1e6)) * 100).rounded())
        let rest = abs(hundredths) % 100
        return "\(hundredths < 0 ? "-" : "")\(abs(hundredths) / 100).\(rest < 10 ? "0" : "")\(rest)"
    }

    /// Percent-encodes what a PDF string cannot hold, because cairo writes an address into the file
    /// unchanged.
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
