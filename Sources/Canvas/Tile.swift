/// A pattern that repeats: what it draws of one cell, in points from the cell's corner.
///
/// Layers of all cells are drawn one upon the other, each with one stroke or fill: that is what makes a page of tiles cheap.
package struct Tile {
    package struct Layer {
        /// Adds the cell's lines and shapes to the path.
        let path: (Canvas) -> Void
        /// Strokes or fills the path of all cells.
        let paint: (Canvas) -> Void

        package init(path: @escaping (Canvas) -> Void, paint: @escaping (Canvas) -> Void) {
            self.path = path
            self.paint = paint
        }
    }

    package let width: Double
    package let height: Double
    let layers: [Layer]
    /// The same for the same tile: a PDF keeps it once and repeats it by itself. Nil draws every cell.
    let key: String?

    package init(width: Double, height: Double, key: String? = nil, layers: [Layer]) {
        self.key = key
        self.width = width
        self.height = height
        self.layers = layers
    }
}
