/// A place in a drawing's own units: metres of a plan, values of a plot's axes.
package struct Position: Sendable, Hashable {
    package var x: Double
    package var y: Double
}
