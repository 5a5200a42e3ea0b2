/// How a field is shown in an anonymous export.
package enum Anonymity: Sendable, Hashable {
    case keep
    /// Not at all: the column is empty.
    case omit
    /// As a word that stands for the value in the files of one run.
    case pseudonym
    /// The period of the office's calendar in which the day or instant lies.
    case period(Period)
    /// The centre of a square of so many metres. A longitude needs the field with its latitude.
    case grid(metres: Int, latitude: String?)
    /// The band of so many units in which the number lies: `100–149`.
    case band(Int)

    package enum Period: String, Sendable, CaseIterable {
        case day, week, month, quarter, year
    }
}

extension Anonymity {
    package init?(_ node: PackNode) {
        if let word = node.text {
            switch word {
            case "keep": self = .keep
            case "omit": self = .omit
            case "pseudonym": self = .pseudonym
            default: return nil
            }
        } else if let period = node.word("period", Period.self) {
            self = .period(period)
        } else if let metres = node.integer("grid") {
            self = .grid(metres: metres, latitude: node.text("pair"))
        } else if let band = node.integer("band") {
            self = .band(band)
        } else {
            return nil
        }
    }

    /// What people see of it: a period, a pseudonym and a band are texts, whatever the field is.
    package var sheetKind: SheetColumn.Kind? {
        switch self {
        case .keep, .omit: nil
        case .pseudonym, .period, .band: .text
        case .grid: .decimal(decimals: 4)
        }
    }
}

extension Pack {
    /// How an anonymous export shows a field: as the field says, else in the way that tells least.
    /// Only what everybody may see is kept, and of that no texts but those of a vocabulary.
    package func anonymity(of field: Field) -> Anonymity {
        if field.privacy == privacyClasses.last, privacyClasses.count > 1 { return .omit }
        if let stated = field.anonymity { return stated }
        switch field.type {
        case .uuid: return .pseudonym
        case .date, .datetime: return privacyClasses.prefix(2).contains(field.privacy) ? .period(.month) : .omit
        case .boolean, .integer, .decimal: return field.privacy == privacyClasses.first ? .keep : .omit
        case .text: return field.vocabulary != nil && field.privacy == privacyClasses.first ? .keep : .omit
        case .time, .json, .point, .polygon, .list: return .omit
        }
    }
}
