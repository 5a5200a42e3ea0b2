/// The columns of a sheet that make its rows entries of a calendar (RFC 5545), by the columns'
/// machine names.
package struct CalendarColumns: Sendable, Hashable {
    package enum Component: String, Sendable, CaseIterable {
        /// Something that takes place: VEVENT.
        case event
        /// Something to be done: VTODO.
        case todo
    }

    /// A number of minutes: the same for every row, or that of a column.
    package enum Minutes: Sendable, Hashable {
        case fixed(Int)
        case column(String)

        init(_ text: String) { self = Int(text).map(Self.fixed) ?? .column(text) }
    }

    package var component: Component
    /// The identifier that stays the same from file to file.
    package var uid: String
    package var summary: String
    /// A day or an instant. An event without one is left out.
    package var start: String?
    /// The time of day at which it starts, on the office's day of `start`: a time that every
    /// calendar shows as it stands.
    package var time: String?
    /// The instant at which it ends, or its last day.
    package var end: String?
    package var minutes: Minutes?
    /// The instant or day by which it is to be done.
    package var due: String?
    /// The instant at which it was done, and that at which it was given up.
    package var done: String?
    package var cancelled: String?
    /// The rule by which it comes again (`FREQ=WEEKLY;BYDAY=MO`).
    package var repeats: String?
    /// Minutes before the start, or before the day by which it is to be done.
    package var alarm: Minutes?
    package var latitude: String?
    package var longitude: String?
    package var changed: String?
    /// 1, the highest, to 9.
    package var priority: String?
    /// Texts that go out as they are, by their property.
    package var description: String?
    package var location: String?
    package var categories: String?
}

extension CalendarColumns {
    package init?(_ node: PackNode) {
        guard let uid = node.text("uid"), let summary = node.text("summary") else { return nil }
        self.init(
            component: node.word("as") ?? .event, uid: uid, summary: summary, start: node.text("start"), time: node.text("time"), end: node.text("end"),
            minutes: node.text("minutes").map(Minutes.init), due: node.text("due"), done: node.text("done"), cancelled: node.text("cancelled"),
            repeats: node.text("repeats"), alarm: node.text("alarm").map(Minutes.init), latitude: node.text("latitude"),
            longitude: node.text("longitude"), changed: node.text("changed"), priority: node.text("priority"), description: node.text("description"),
            location: node.text("location"), categories: node.text("categories"))
    }
}
