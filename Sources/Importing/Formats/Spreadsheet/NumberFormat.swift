/// The meaning of a number according to its cell's format, for workbooks of every kind.
enum NumberFormat: UInt8 {
    case number, percent, date, time, dateTime

    var isDate: Bool { self != .number && self != .percent }

    /// The built-in formats, which a workbook need not define (ECMA-376, 18.8.30). Formats with
    /// hours beyond a day remain numbers.
    init(builtIn id: Int) {
        switch id {
        case 14...17, 27...31, 36, 50...54, 57, 58: self = .date
        case 18...21, 32...35, 45, 47, 55, 56: self = .time
        case 22: self = .dateTime
        case 9, 10: self = .percent
        default: self = .number
        }
    }

    /// A named format of a workbook in XML.
    init(named name: String) {
        switch name {
        case "General Date": self = .dateTime
        case "Long Date", "Medium Date", "Short Date": self = .date
        case "Long Time", "Medium Time", "Short Time": self = .time
        case "Percent": self = .percent
        case "General Number", "Currency", "Euro Currency", "Fixed", "Standard", "Scientific", "Yes/No", "True/False",
            "On/Off":
            self = .number
        default: self.init(code: name)
        }
    }

    /// A format code, of which the first section counts. A section with the word `General` shows
    /// numbers, whatever else it contains.
    init(code: String) {
        var hasDay = false
        var hasMonth = false
        var hasClock = false
        var isPercent = false
        var rest = code.unicodeScalars[...]
        self = .number
        scan: while let scalar = rest.first {
            if Self.general.contains(where: {
                rest.starts(with: $0, by: { $0.properties.lowercaseMapping == String($1) })
            }) {
                return
            }
            rest.removeFirst()
            switch scalar {
            case ";": break scan
            case "%": isPercent = true
            case "\"": while let next = rest.popFirst(), next != "\"" {}
            case "\\", "_", "*": _ = rest.popFirst()
            case "[":
                var inside = ""
                while let next = rest.popFirst(), next != "]" { inside.unicodeScalars.append(next) }
                // [h], [mm] and [s] count beyond a day: the value is a number of days. Other
                // brackets are colours, conditions and languages.
                if let letter = inside.lowercased().first, "hms".contains(letter), Set(inside.lowercased()).count == 1 {
                    return
                }
            case "E", "e":
                // In 0.00E+00 the letter marks an exponent; alone it is the year of an era.
                if let next = rest.first, next == "+" || next == "-" { _ = rest.popFirst() } else { hasDay = true }
            case "y", "Y", "d", "D": hasDay = true
            case "m", "M": hasMonth = true
            case "h", "H", "s", "S": hasClock = true
            case "A", "a":
                // AM/PM and A/P.
                if hasClock {
                    while let next = rest.first, "MPamp/".unicodeScalars.contains(next) { _ = rest.popFirst() }
                }
            default: break
            }
        }
        // With a clock and without a day, months are minutes.
        let hasDate = hasDay || (hasMonth && !hasClock)
        self = hasDate ? (hasClock ? .dateTime : .date) : hasClock ? .time : isPercent ? .percent : .number
    }

    /// The word as Excel writes it, and as older localised versions did.
    private static let general = ["general", "standard", "estándar"].map { Array($0.unicodeScalars) }
}
