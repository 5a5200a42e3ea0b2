/// What holds for rows of a package from the other side of an exchange, beyond what holds for any
/// file: they say what that side has.
///
/// - A row that equals a change which waits here, and says that it was taken, acknowledges it.
/// - A new row is there already, and does not go back.
/// - A row that was not changed here since that side confirmed it takes what that side has now,
///   unless the record is closed. The rest are conflicts.
package struct ExchangeTerms: Sendable, Hashable {
    /// The format under which these imports are noted.
    static let format = "exchange"

    /// When the package was made, which is the version of its rows: an older package never replaces
    /// what a newer one brought.
    package var version: String

    package init(version: String) { self.version = version }
}
