/// A regular expression that is compiled once, to be kept as a static constant. One that stands in a
/// function is parsed and compiled at each call, which takes longer than to match a cell.
///
/// Swift does not count `Regex` as Sendable, since one that is built of parts may hold closures.
/// A literal holds none, and the program that it is compiled into is published atomically.
@safe package struct KeptRegex<Output>: @unchecked Sendable {
    package let regex: Regex<Output>

    package init(_ literal: Regex<Output>) { regex = literal }
}
