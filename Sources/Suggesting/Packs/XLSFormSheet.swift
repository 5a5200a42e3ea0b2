import Importing
import Model

/// One sheet of an XLSForm: its rows, whose cells are found by normalised headings.
///
/// Source: https://xlsform.org/en/ref-table/. Headings may be written with spaces or underscores,
/// in any case; `label::English (en)` is the label in a language.
struct XLSFormSheet {
    struct Row {
        let number: Int
        let cells: [String: String]

        /// The value of the first filled one of some columns.
        subscript(_ names: String...) -> String? { names.lazy.compactMap { cells[$0] }.first }
    }

    let rows: [Row]

    private static let mostRows = 20_000

    init(_ table: ForeignTable) throws {
        let source = try table.open()
        var batch = ForeignBatch()
        var headings: [String] = []
        var rows: [Row] = []
        try source.fill(&batch)
        while batch.rowCount > 0 {
            for row in 0..<batch.rowCount {
                let texts = (0..<batch.width(row)).map { Self.text(batch, row, $0) }
                guard texts.contains(where: { !$0.isEmpty }) else { continue }
                if headings.isEmpty {
                    headings = texts.map(Self.normal)
                    continue
                }
                guard rows.count < Self.mostRows else { break }
                let cells = Dictionary(zip(headings, texts).filter { !$0.isEmpty && !$1.isEmpty }) { first, _ in first }
                rows.append(Row(number: batch.rows[row].number, cells: cells))
            }
            try source.fill(&batch)
        }
        self.rows = rows
    }

    /// The text of a cell. A boolean becomes its word in capitals, as in other programs that read
    /// forms.
    private static func text(_ batch: ForeignBatch, _ row: Int, _ column: Int) -> String {
        let text = batch.string(row, column)?.trimmingSpaces ?? ""
        return batch.cell(row, column).kind == .boolean ? text.uppercased() : text
    }

    /// `Constraint Message` → `constraint_message`; `Label :: English (en)` → `label::english (en)`
    static func normal(_ heading: String) -> String {
        let parts = heading.lowercased().split(separator: ":").map { String($0).trimmingSpaces }
        let name = (parts.first ?? "").split(whereSeparator: { $0 == " " || $0 == "_" }).joined(separator: "_")
        let known = [
            "caption": "label", "relevance": "relevant", "constraining_message": "constraint_message",
            "list": "list_name", "value": "name",
        ]
        return ([known[name] ?? name] + parts.dropFirst()).joined(separator: "::")
    }

    /// The texts of a column in each of the pack's languages. Texts of a heading without a language
    /// are in the form's default language.
    static func texts(_ row: Row, _ column: String, own: Language) -> [Language: String] {
        var texts: [Language: String] = [:]
        for (heading, text) in row.cells where heading == column || heading.hasPrefix(column + "::") {
            let stated = heading.dropFirst(column.count + 2)
            guard let language = stated.isEmpty ? own : language(String(stated)) else { continue }
            if texts[language] == nil || stated.isEmpty { texts[language] = DraftNames.cleaned(text) }
        }
        return texts
    }

    /// `English (en)` → English; nil for a language that packs do not have.
    static func language(_ text: String) -> Language? {
        let code = text.firstMatch(of: /\(([a-z]{2,3})[^)]*\)\s*$/).map { String($0.1) }
        let words = [
            "es": "es", "español": "es", "espanol": "es", "spanish": "es", "spagnolo": "es", "castellano": "es",
            "en": "en", "english": "en", "inglés": "en", "ingles": "en", "inglese": "en", "it": "it", "italiano": "it",
            "italian": "it",
        ]
        return Language(
            rawValue: code ?? words[text.split(separator: "(").first.map { String($0).trimmingSpaces } ?? ""] ?? "")
    }
}

/// The kind of a row in an XLSForm's sheet `survey`.
enum XLSFormQuestion: Hashable {
    case begin(isRepeat: Bool)
    case end
    case text, integer, decimal, date, time, instant, place, photo, confirmation
    case one(list: String, isOpen: Bool)
    case several(list: String, isOpen: Bool)
    /// A text that has a meaning only for a program or together with another file.
    case other
    /// A number within bounds.
    case range
    case calculation
    /// A text that is shown and needs no answer.
    case note

    /// Whether a person may give an answer that is not on the list, in a separate question.
    var isOpen: Bool {
        switch self {
        case .one(_, let isOpen), .several(_, let isOpen): isOpen
        default: false
        }
    }

    /// Source: https://xlsform.org/en/ref-table/#question-types, and the older spellings that
    /// pyxform still accepts.
    init(_ type: String) {
        let words = type.lowercased().split(whereSeparator: { $0 == " " || $0 == "_" }).map(String.init)
        let joined = words.joined(separator: " ")
        let list = type.split(whereSeparator: \.isWhitespace).dropFirst()
        func listName(after count: Int) -> String { list.dropFirst(count).first.map(String.init) ?? "" }
        let isOpen = joined.hasSuffix(" or other") || joined.hasSuffix(" or specify other")
        switch joined {
        case "begin group", "begin": self = .begin(isRepeat: false)
        case "begin repeat": self = .begin(isRepeat: true)
        case "end group", "end repeat": self = .end
        case "text", "string", "barcode", "username", "email", "phone number", "phonenumber", "deviceid", "device id",
            "subscriberid", "simserial", "uri:deviceid":
            self = .text
        case "integer", "int": self = .integer
        case "decimal": self = .decimal
        case "date", "today": self = .date
        case "time": self = .time
        case "datetime", "date time", "start", "end": self = .instant
        case "geopoint", "gps", "location", "start-geopoint": self = .place
        case "image", "photo", "picture": self = .photo
        case "acknowledge", "trigger": self = .confirmation
        case "range": self = .range
        case "calculate", "hidden": self = .calculation
        case "note", "audit", "csv-external", "xml-external": self = .note
        default:
            switch (words.first, words.dropFirst().first) {
            case ("select", "one") where words.dropFirst(2).first == "from" && words.dropFirst(3).first == "file":
                self = .other
            case ("select", "multiple") where words.dropFirst(2).first == "from" && words.dropFirst(3).first == "file":
                self = .other
            case ("select", "one") where type.lowercased().hasPrefix("select one from"):
                self = .one(list: listName(after: 2), isOpen: isOpen)
            case ("select", "one"):
                self = .one(list: listName(after: type.contains("select_one") ? 0 : 1), isOpen: isOpen)
            case ("select1", _): self = .one(list: listName(after: 0), isOpen: isOpen)
            case ("select", "multiple"):
                self = .several(list: listName(after: type.contains("select_multiple") ? 0 : 1), isOpen: isOpen)
            case ("select", "all"): self = .several(list: listName(after: 4), isOpen: isOpen)
            case ("rank", _): self = .several(list: listName(after: 0), isOpen: false)
            default: self = .other
            }
        }
    }
}
