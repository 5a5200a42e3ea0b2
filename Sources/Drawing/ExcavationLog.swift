/// The body of an excavation's record (ficha): depth scale, strata to scale, and what is known of each stratum in columns beside it.
///
/// Scaled columns (depths, samples, symbol) come first, then a gutter whose lines lead from each stratum to its row, then the rows'
/// columns. Rows are as tall as their texts and lie as near to their strata as can be.
package struct ExcavationLog {
    package struct Stratum: Sendable, Hashable {
        /// Metres below the surface.
        package var top: Double
        package var bottom: Double
        /// Chooses the tile.
        package var symbol: String
        /// One text for each of the log's columns.
        package var cells: [String]

        package init(top: Double, bottom: Double, symbol: String, cells: [String]) {
            self.top = top
            self.bottom = bottom
            self.symbol = symbol
            self.cells = cells
        }
    }

    package typealias Sample = StripDrawing.Sample

    package struct Photo: Sendable, Hashable {
        package var jpeg: [UInt8]
        /// EXIF's.
        package var orientation: Int
        /// Pixels as stored; only their ratio counts.
        package var width: Int
        package var height: Int
        package var caption: String

        package init(jpeg: [UInt8], width: Int, height: Int, orientation: Int = 1, caption: String = "") {
            self.jpeg = jpeg
            self.orientation = orientation
            self.width = width
            self.height = height
            self.caption = caption
        }
    }

    package struct Column: Sendable, Hashable {
        package var title: String
        /// A share of what the other columns leave when nil; points otherwise.
        package var width: Double?
        package var isCentred: Bool
        package var isBold: Bool

        package init(_ title: String, width: Double? = nil, isCentred: Bool = false, isBold: Bool = false) {
            self.title = title
            self.width = width
            self.isCentred = isCentred
            self.isBold = isBold
        }
    }

    package enum Scale: Sendable, Hashable {
        /// One to so many.
        case ratio(Double)
        /// As large as a page holds.
        case fitted
        /// The largest round one with which all fits on a page.
        case round
    }

    /// Titles and remarks, in the reader's language.
    package struct Words: Sendable, Hashable {
        package var depth = ""
        package var symbol = ""
        package var samples = ""
        package var photos = ""
        package var water = ""
        /// A stratum that began on an earlier page.
        package var continued = ""
        package var nothing = ""
        /// Below the last stratum.
        package var end = ""

        package init() {}
    }

    package var strata: [Stratum]
    package var columns: [Column]
    package var samples: [Sample] = []
    package var photos: [Photo] = []
    package var depth: Double
    package var water: Double?
    package var scale = Scale.round
    package var words: Words
    package var style = DrawingStyle()
    /// Letters shrink to this before texts go on to another page.
    package var minimumTextSize = 5.5
    package var depthWidth = 32.0
    package var symbolWidth = 54.0
    package var sampleWidth = 40.0
    package var gutterWidth = 16.0
    package var photoWidth = 120.0

    package init(strata: [Stratum], columns: [Column], depth: Double, words: Words) {
        self.strata = strata
        self.columns = columns
        self.depth = depth
        self.words = words
    }

    /// Metres that the strip shows.
    var length: Double { max(depth.isFinite ? depth : 0, strata.map(\.bottom).filter(\.isFinite).max() ?? 0, 0.05) }

    /// Texts cannot be set in columns narrower than this.
    static let minimumColumn = 14.0

    /// Left edges and widths of everything, over a body of a width.
    func measures(width: Double) -> LogMeasures {
        let scaled = depthWidth + symbolWidth + (samples.isEmpty ? 0 : sampleWidth)
        let side = photos.isEmpty ? 0 : min(photoWidth, width * 0.3)
        let room = max(1, width - scaled - gutterWidth - side)
        let fixed = columns.compactMap(\.width).reduce(0, +)
        let flexible = Double(columns.count { $0.width == nil })
        let share = flexible > 0 ? max(Self.minimumColumn, (room - fixed) / flexible) : 0
        var widths = columns.map { max(Self.minimumColumn, $0.width ?? share) }
        // Whatever was asked for, the page is no wider; what is left over goes to all.
        let total = widths.reduce(0, +)
        if total > 0 { widths = widths.map { $0 * room / total } }
        return LogMeasures(
            depth: depthWidth, symbol: symbolWidth, samples: samples.isEmpty ? 0 : sampleWidth, gutter: gutterWidth, columns: widths, photos: side)
    }
}

/// Widths of a log's parts from left to right, in points.
struct LogMeasures {
    let depth: Double
    let symbol: Double
    let samples: Double
    let gutter: Double
    let columns: [Double]
    let photos: Double

    var rowsStart: Double { depth + symbol + samples + gutter }
    var rowsWidth: Double { columns.reduce(0, +) }
}
