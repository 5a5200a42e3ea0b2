/// An address that a cell or a picture may link to: a page, a mailbox, or a file beside the
/// workbook. Refused are addresses that run a program, open a network share, or that the library
/// would interpret differently.
package struct LinkAddress: Hashable, Sendable {
    /// In the form that the library needs.
    let text: String

    /// The longest address that Excel accepts, in UTF-16 units.
    private static let longest = 2079

    /// nil: the address is refused and stays a text.
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
            // In a file's name these are plain characters, but in an address they have a meaning.
            text = address.replacing("%", with: "%25").replacing("#", with: "%23").replacing("?", with: "%3F")
        }
    }
}
