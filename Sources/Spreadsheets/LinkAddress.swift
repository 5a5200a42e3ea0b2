/// An address that a cell or a picture may lead to: a page, a mailbox, or a file beside the workbook. Nothing that runs, opens a
/// share, or that the library would read as something else.
package struct LinkAddress: Hashable, Sendable {
    /// As the library takes it.
    let text: String

    /// Longest address that Excel takes, in UTF-16 units.
    private static let longest = 2079

    /// nil: such an address stays a text.
    package init?(_ address: String) {
        guard !address.isEmpty, address.utf16.count <= Self.longest / 3, address.first != " ", address.first != "#",
            !address.unicodeScalars.contains(where: { $0.value < 0x20 || $0 == "\"" || $0.value == 0x7F || $0.value == 0xFFFE || $0.value == 0xFFFF }),
            !address.hasPrefix("//"), !address.hasPrefix("\\\\"), !address.contains("internal:"), !address.contains("external:")
        else { return nil }
        let head = address.prefix { $0 != "/" && $0 != "\\" }
        if let colon = head.firstIndex(of: ":") {
            guard ["http", "https", "mailto"].contains(head[..<colon].lowercased()) else { return nil }
            text = address
        } else {
            // In a file's name these are characters, in an address marks.
            text = address.replacing("%", with: "%25").replacing("#", with: "%23").replacing("?", with: "%3F")
        }
    }
}
