/// A layer with its depths in metres, as they are recorded: gaps and overlaps stay.
package struct LayerContent: Sendable, Hashable {
    package var from: Double
    package var to: Double
    /// As stored: `GP-GM`, `CL/ML`; empty when nobody has said.
    package var symbol: String

    package init(from: Double, to: Double, symbol: String) {
        self.from = from
        self.to = to
        self.symbol = symbol
    }
}

/// The body of an excavation's record.
package struct LogContent: Sendable {
    package struct Column: Sendable {
        package var label: String
        package var isNumeric: Bool
        /// Share of the width that is left for the further columns; nil: by what it holds.
        package var width: Double?

        package init(label: String, isNumeric: Bool, width: Double?) {
            self.label = label
            self.isNumeric = isNumeric
            self.width = width
        }
    }

    package struct Layer: Sendable {
        package var layer: LayerContent
        package var number: String
        package var description: String
        package var sample: String?
        /// In metres.
        package var sampleDepth: Double?
        /// One for each further column.
        package var cells: [ReportCell]

        package init(layer: LayerContent, number: String, description: String, sample: String?, sampleDepth: Double?, cells: [ReportCell]) {
            self.layer = layer
            self.number = number
            self.description = description
            self.sample = sample
            self.sampleDepth = sampleDepth
            self.cells = cells
        }
    }

    package var layers: [Layer]
    package var columns: [Column]
    /// The whole depth in metres; nil: as deep as the layers.
    package var total: Double?
    package var water: Double?
    /// Whether any layer names a sample.
    package var hasSamples: Bool { layers.contains { $0.sample != nil } }
    package var scales: [Int]
    /// Said where nothing is logged.
    package var empty: String

    package init(layers: [Layer], columns: [Column], total: Double?, water: Double?, scales: [Int], empty: String) {
        self.layers = layers
        self.columns = columns
        self.total = total
        self.water = water
        self.scales = scales
        self.empty = empty
    }
}

package struct StripContent: Sendable {
    package var layers: [LayerContent]
    package var total: Double?
    package var water: Double?
    package var millimetres: Double

    package init(layers: [LayerContent], total: Double?, water: Double?, millimetres: Double) {
        self.layers = layers
        self.total = total
        self.water = water
        self.millimetres = millimetres
    }
}

/// Pits along a chainage; everything in metres.
package struct ProfileContent: Sendable {
    package struct Pit: Sendable {
        package var label: String
        package var anchor: String?
        package var chainage: Double
        /// Above the sea; nil: not known.
        package var elevation: Double?
        package var depth: Double
        package var water: Double?
        package var layers: [LayerContent]

        package init(
            label: String, anchor: String?, chainage: Double, elevation: Double?, depth: Double, water: Double?, layers: [LayerContent]
        ) {
            self.label = label
            self.anchor = anchor
            self.chainage = chainage
            self.elevation = elevation
            self.depth = depth
            self.water = water
            self.layers = layers
        }
    }

    package var pits: [Pit]
    /// Pits that cannot be placed, for want of a chainage.
    package var unplaced: [String]
    package var joinsContacts: Bool
    package var millimetres: Double?

    package init(pits: [Pit], unplaced: [String], joinsContacts: Bool, millimetres: Double?) {
        self.pits = pits
        self.unplaced = unplaced
        self.joinsContacts = joinsContacts
        self.millimetres = millimetres
    }
}

/// Points by their coordinates in metres.
package struct SketchContent: Sendable {
    package struct Point: Sendable, Hashable {
        package var label: String
        package var east: Double
        package var north: Double

        package init(label: String, east: Double, north: Double) {
            self.label = label
            self.east = east
            self.north = north
        }
    }

    package var points: [Point]
    /// How many have no coordinates.
    package var missing: Int
    package var millimetres: Double

    package init(points: [Point], missing: Int, millimetres: Double) {
        self.points = points
        self.missing = missing
        self.millimetres = millimetres
    }
}

/// A level's rooms over its drawing, in metres from the level's origin, y growing upwards.
package struct PlanContent: Sendable {
    package struct Position: Sendable, Hashable {
        package var x: Double
        package var y: Double

        package init(x: Double, y: Double) {
            self.x = x
            self.y = y
        }
    }

    package enum State: String, Sendable, Hashable, CaseIterable {
        case empty, inProgress, complete, approved
    }

    package struct Room: Sendable {
        package var polygon: [Position]
        package var label: String
        package var state: State?
        package var count: Int?
        /// The one that the section is about.
        package var isMarked: Bool

        package init(polygon: [Position], label: String, state: State?, count: Int?, isMarked: Bool) {
            self.polygon = polygon
            self.label = label
            self.state = state
            self.count = count
            self.isMarked = isMarked
        }
    }

    package var rooms: [Room]
    /// Lines of the drawing under the rooms.
    package var background: [[Position]]
    package var boundary: [Position]
    /// Degrees by which north turns clockwise from up; nil: not known.
    package var north: Double?
    package var points: [Position]
    /// Names of the states, for the legend.
    package var stateNames: [State: String]
    /// Only the marked room and what lies around it.
    package var showsMarkedOnly: Bool
    package var millimetres: Double?
    package var empty: String?

    package init(
        rooms: [Room], background: [[Position]], boundary: [Position], north: Double?, points: [Position], stateNames: [State: String],
        showsMarkedOnly: Bool, millimetres: Double?, empty: String?
    ) {
        self.rooms = rooms
        self.background = background
        self.boundary = boundary
        self.north = north
        self.points = points
        self.stateNames = stateNames
        self.showsMarkedOnly = showsMarkedOnly
        self.millimetres = millimetres
        self.empty = empty
    }
}
