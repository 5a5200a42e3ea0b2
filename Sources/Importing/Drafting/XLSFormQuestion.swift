/// A row of an XLSForm's sheet `survey`: what kind of thing it is.
enum XLSFormQuestion: Hashable {
    case begin(isRepeat: Bool)
    case end
    case text, integer, decimal, date, time, instant, place, photo, confirmation
    case one(list: String, isOpen: Bool)
    case several(list: String, isOpen: Bool)
    /// A text that only a program or another file understands.
    case other
    /// A number within bounds.
    case range
    case calculation
    /// Shown and not answered.
    case note

    /// Whether a person may answer what is not on the list, in a question of its own.
    var isOpen: Bool {
        switch self {
        case .one(_, let isOpen), .several(_, let isOpen): isOpen
        default: false
        }
    }

    /// Source: https://xlsform.org/en/ref-table/#question-types, and the older spellings that
    /// pyxform still takes.
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
        case "text", "string", "barcode", "username", "email", "phone number", "phonenumber", "deviceid", "device id", "subscriberid", "simserial", "uri:deviceid": self = .text
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
            case ("select", "one") where words.dropFirst(2).first == "from" && words.dropFirst(3).first == "file": self = .other
            case ("select", "multiple") where words.dropFirst(2).first == "from" && words.dropFirst(3).first == "file": self = .other
            case ("select", "one") where type.lowercased().hasPrefix("select one from"): self = .one(list: listName(after: 2), isOpen: isOpen)
            case ("select", "one"): self = .one(list: listName(after: type.contains("select_one") ? 0 : 1), isOpen: isOpen)
            case ("select1", _): self = .one(list: listName(after: 0), isOpen: isOpen)
            case ("select", "multiple"): self = .several(list: listName(after: type.contains("select_multiple") ? 0 : 1), isOpen: isOpen)
            case ("select", "all"): self = .several(list: listName(after: 4), isOpen: isOpen)
            case ("rank", _): self = .several(list: listName(after: 0), isOpen: false)
            default: self = .other
            }
        }
    }
}
