/// A pattern that repeats: what it draws of one cell, in points from the cell's corner. Strokes are best kept inside of the cell.
package final class Tile {
    package let width: Double
    package let height: Double
    let draw: (Canvas) -> Void

    package init(width: Double, height: Double, draw: @escaping (Canvas) -> Void) {
        self.width = width
        self.height = height
        self.draw = draw
    }
}
