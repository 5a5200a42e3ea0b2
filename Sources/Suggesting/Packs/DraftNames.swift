import Foundation
import Importing
import Model

/// Makes unique names in the form that packs require.
struct DraftNames {
    /// Names that fields cannot have: columns of the replica, and words of expressions.
    static let reservedFields: Set<String> = [
        "id", "sync_state", "local_version", "remote_updated_at", "content_stamp", "own_mark", "import_source",
        "import_row", "key_text", "rowid",
        "and", "or", "not", "in", "is", "null", "true", "false",
    ]

    /// Names that are reserved or already given.
    private var taken: Set<String>
    private static let longest = 50

    init(reserved: Set<String>) { taken = reserved }

    /// - Parameter other: the name used if the text contains no letter or digit.
    mutating func name(_ text: String, other: String) -> String {
        let known = Self.plain(text) ?? other
        // SQLite reserves names that begin with `sqlite_`.
        let plain = known.hasPrefix("sqlite_") ? "t_" + known : known
        var name = plain, number = 2
        while taken.contains(name) {
            name = plain + "_\(number)"
            number += 1
        }
        taken.insert(name)
        return name
    }

    /// A text in lower case without accents, with single underscores; nil if nothing remains.
    static func plain(_ text: String) -> String? {
        let folded = text.folding(
            options: [.diacriticInsensitive, .widthInsensitive], locale: Locale(identifier: "en_US_POSIX"))
        var name = "", last: Character?
        for character in folded {
            let isPlain = character.isASCII && (character.isLetter || character.isNumber)
            if isPlain {
                // projectId → project_id
                if character.isUppercase, let last, last.isLowercase || last.isNumber { name += "_" }
                name += character.lowercased()
            } else if !name.isEmpty, !name.hasSuffix("_") {
                name += "_"
            }
            last = isPlain ? character : nil
        }
        while name.hasSuffix("_") { name.removeLast() }
        guard let first = name.first else { return nil }
        if first.isNumber { name = "n" + name }
        name = String(name.prefix(longest))
        while name.hasSuffix("_") { name.removeLast() }
        return name
    }

    /// A label made from a name, if the source has no label: `depth_from` → `Depth from`.
    static func label(_ name: String) -> String {
        let words = (plain(name) ?? name).split(separator: "_").joined(separator: " ")
        return words.prefix(1).uppercased() + words.dropFirst()
    }

    /// A label without formatting marks and without braces, because texts of a pack treat braces as
    /// placeholders.
    static func cleaned(_ text: String) -> String {
        let plain = text.replacing(/\$\{[^}]*\}/, with: "…").replacing(/<[^>]{1,200}>/, with: " ").replacing(
            /\*\*|__|^#+\s/, with: "")
        let words = plain.map { $0 == "{" || $0 == "}" ? " " : $0 }.split(whereSeparator: {
            $0.isWhitespace || $0.isNewline
        })
        return String(words.joined(separator: " ").prefix(200))
    }

    /// Whether a name refers to people: to be on the safe side, such fields are marked as personal
    /// data.
    static func isPersonal(_ text: String) -> Bool {
        let words: Set<String> = [
            "email", "mail", "correo", "phone", "telephone", "telefono", "celular", "mobile", "cellulare", "dni",
            "passport", "pasaporte", "surname", "apellido", "apellidos", "cognome",
            "birth", "birthday", "nacimiento", "nascita", "address", "direccion", "indirizzo", "username", "person",
            "persona", "owner", "propietario", "proprietario",
        ]
        return (plain(text) ?? "").split(separator: "_").contains { words.contains(String($0)) }
    }
}
