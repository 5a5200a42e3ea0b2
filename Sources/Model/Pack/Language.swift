/// The languages that people read Fichero in. Machine formats never depend on them.
package enum Language: String, Sendable, CaseIterable, Codable {
    case spanish = "es"
    case english = "en"
    case italian = "it"

    /// The one of a text's three forms that is in this language.
    package func choose(_ forms: (spanish: String, english: String, italian: String)) -> String {
        switch self {
        case .spanish: forms.spanish
        case .english: forms.english
        case .italian: forms.italian
        }
    }
}
