/// The languages that people read Fichero in. Machine formats never depend on them.
package enum Language: String, Sendable, CaseIterable, Codable {
    case spanish = "es"
    case english = "en"
    case italian = "it"
}
