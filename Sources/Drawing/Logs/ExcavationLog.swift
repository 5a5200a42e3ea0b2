package import Model

/// The body of an excavation's record (ficha): depth scale, strata to scale, and the data of each
/// stratum in columns beside it.
///
/// The columns to scale (elevations, depths, samples and tests, symbol) are first. Lines in a
/// gutter connect each stratum to its row, and the rows' columns follow. Rows are as tall as their
/// texts, and as near to their strata as possible.
package struct ExcavationLog {
    package struct Column: Sendable, Hashable {
        package var title: String
        /// The minimum width in points, for codes and numbers; nil: a text, which fills the width
        /// left by the other columns.
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
        /// The largest scale at which the log fits on one page.
        case fitted
        /// The largest round scale at which the log fits on one page.
        case round
    }

    /// The titles and remarks, in the reader's language.
    package struct Words: Sendable, Hashable {
        package var depth = ""
        package var symbol = ""
        package var elevation = ""
        package var water = ""
        /// Marks a stratum that began on an earlier page.
        package var continued = ""
        /// The text of a log without strata.
        package var nothing = ""
        /// The text below the last stratum.
        package var end = ""

        package init() {}
    }

    package var strata: [Stratum]
    /// For each stratum, one text for each of the columns.
    package var cells: [[String]]
    package var columns: [Column]
    /// The indexes of strata that represent an interval of depth in which nothing was logged.
    package var unlogged: Set<Int> = []
    /// The indexes of strata whose depths contradict those of other strata.
    package var faulty: Set<Int> = []
    package var tracks: [LogTrack] = []
    package var depth: Double
    package var water: Double?
    /// The elevation of the ground in metres; nil: unknown.
    package var elevation: Double?
    package var scale = Scale.round
    package var words: Words
    package var style = DrawingStyle()
    /// The smallest letters in points; texts that need smaller ones continue on another page.
    package var minimumTextSize = DrawingStyle.least

    package init(strata: [Stratum], cells: [[String]], columns: [Column], depth: Double, words: Words) {
        self.strata = strata
        self.cells = cells
        self.columns = columns
        self.depth = depth
        self.words = words
    }

    /// The length of the strip, in metres.
    var length: Double { max(depth.isFinite ? depth : 0, strata.map(\.bottom).filter(\.isFinite).max() ?? 0, 0.05) }
}
