package import Model

/// The body of an excavation's record (ficha): depth scale, strata to scale, and what is known of
/// each stratum in columns beside it.
///
/// The columns to scale (depths, samples, symbol) come first. Lines in a gutter join each stratum
/// to its row, and the rows' columns follow. Rows are as tall as their texts, and as near to their
/// strata as possible.
package struct ExcavationLog {
    package typealias Sample = StripDrawing.Sample

    package struct Photo: Sendable, Hashable {
        package var jpeg: [UInt8]
        /// The orientation of Exif, 1 to 8.
        package var orientation: Int
        /// The stored width and height in pixels; only their ratio counts.
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
        /// The width in points; nil: an equal share of what the other columns leave.
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
        /// A scale of 1 to the ratio.
        case ratio(Double)
        /// The largest scale at which one page holds the log.
        case fitted
        /// The largest round scale at which one page holds the log.
        case round
    }

    /// The titles and remarks, in the reader's language.
    package struct Words: Sendable, Hashable {
        package var depth = ""
        package var symbol = ""
        package var samples = ""
        package var photos = ""
        package var water = ""
        /// Marks a stratum that began on an earlier page.
        package var continued = ""
        package var nothing = ""
        /// The text below the last stratum.
        package var end = ""

        package init() {}
    }

    package var strata: [Stratum]
    /// One text for each of the columns, for each stratum.
    package var cells: [[String]]
    package var columns: [Column]
    package var samples: [Sample] = []
    package var photos: [Photo] = []
    package var depth: Double
    package var water: Double?
    package var scale = Scale.round
    package var words: Words
    package var style = DrawingStyle()
    /// The smallest letters in points; texts that need smaller ones continue on another page.
    package var minimumTextSize = 5.5
    package var depthWidth = 32.0
    package var symbolWidth = 54.0
    package var sampleWidth = 40.0
    package var gutterWidth = 16.0
    package var photoWidth = 120.0

    package init(strata: [Stratum], cells: [[String]], columns: [Column], depth: Double, words: Words) {
        self.strata = strata
        self.cells = cells
        self.columns = columns
        self.depth = depth
        self.words = words
    }

    /// The length of the strip, in metres.
    var length: Double { max(depth.isFinite ? depth : 0, strata.map(\.bottom).filter(\.isFinite).max() ?? 0, 0.05) }

    /// The least width of a column, in points; narrower ones cannot hold text.
    static let minimumColumn = 14.0

    /// The widths of all parts for a body of a given width in points.
    func measures(width: Double) -> LogMeasures {
        let scaled = depthWidth + symbolWidth + (samples.isEmpty ? 0 : sampleWidth)
        let side = photos.isEmpty ? 0 : min(photoWidth, width * 0.3)
        let room = max(1, width - scaled - gutterWidth - side)
        let fixed = columns.compactMap(\.width).reduce(0, +)
        let flexible = Double(columns.count { $0.width == nil })
        let share = flexible > 0 ? max(Self.minimumColumn, (room - fixed) / flexible) : 0
        var widths = columns.map { max(Self.minimumColumn, $0.width ?? share) }
        // The columns together take the whole room, whatever widths were asked for.
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
