/// A pattern that repeats: it draws one cell, in points from the cell's corner.
///
/// Layers are drawn one upon the other for all cells together, each with one stroke or fill: this
/// keeps a page of tiles cheap.
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
    /// The same for equal tiles: a PDF stores the tile once and repeats it by itself. Nil draws
    /// every cell.
    let key: String?

    package init(width: Double, height: Double, key: String? = nil, layers: [Layer]) {
        self.key = key
        self.width = width
        self.height = height
        self.layers = layers
    }
}
