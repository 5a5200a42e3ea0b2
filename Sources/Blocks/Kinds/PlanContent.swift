package import Model

/// The rooms of a level over its drawing, in metres from the level's origin, y upwards.
package struct PlanContent: BlockContent {
    /// A state of rooms, as people read it.
    package struct State: Sendable, Hashable {
        package var name: String
        package var tint: Tint?
    }

    package struct Room: Sendable {
        package var polygon: [Position]
        package var label: String
        /// Its place in the plan's states.
        package var state: Int?
        package var count: Int?
        /// The room that the section is about.
        package var isMarked: Bool
    }

    /// A kind of thing, which the legend names; nil: it has no name.
    package struct Kind: Sendable, Hashable {
        package var name: String?
        package var icon: String?
    }

    /// How far something has come on its way to the server.
    package enum Progress: Sendable, Hashable { case settled, waiting, failed }

    package struct Mark: Sendable, Hashable {
        /// Nil: nobody stated it.
        package var position: Position?
        /// Its place in the plan's kinds.
        package var kind: Int
        package var number: String
        /// What a note calls it.
        package var called: String
        package var progress: Progress
    }

    package var rooms: [Room]
    /// Rooms without an outline, which cannot be drawn.
    package var missing: [String]
    /// Lines of the drawing under the rooms.
    package var background: [[Position]]
    package var boundary: [Position]
    /// Clockwise angle from up to north, in degrees; nil: not known.
    package var north: Double?
    package var points: [Mark]
    package var kinds: [Kind]
    package var states: [State]
    /// Whether only the marked room and its surroundings are shown.
    package var showsMarkedOnly: Bool
    package var millimetres: Double?
    package var empty: String?
}
