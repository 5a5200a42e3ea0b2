/// A pale colour that plans and charts give a value of a vocabulary, the same one everywhere.
package enum Tint: String, Sendable, CaseIterable {
    case grey, blue, green, darkGreen, yellow, orange, red, violet
}
