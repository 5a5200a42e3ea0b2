import Foundation
package import Model
import OutputFiles

/// Writes the rows of one sheet as entries of a calendar.
struct CalendarEntries: ~Copyable {
    private let shape: CalendarColumns
    /// The positions of the sheet's columns, by name.
    private let places: [String: Int]
    private let pack: String
    private let stamp: String
    private var clock: OfficeClock
    /// The unique identifiers of the entries written so far.
    private var known: Set<String> = []
    private(set) var written = 0
    /// Rows without a start or without a unique identifier.
    private(set) var leftOut = 0
    /// Entries whose recurrence rule is not valid, so that they were written without it.
    private(set) var withoutRule = 0

    init(_ shape: CalendarColumns, of sheet: Sheet, in document: ExportDocument) {
        self.shape = shape
        places = Dictionary(sheet.columns.enumerated().map { ($0.element.name, $0.offset) }) { first, _ in first }
        pack = document.packName
        stamp = CalendarMoment(document.asOf).text
        clock = OfficeClock(document.timeZone)
    }

    mutating func append(_ batch: borrowing RowBatch, to text: inout CalendarText) {
        for row in 0..<batch.rowCount { append(batch, row, to: &text) }
    }

    private mutating func append(_ batch: borrowing RowBatch, _ row: Int, to text: inout CalendarText) {
        let start = start(batch, row)
        let uid = value(batch, row, shape.uid) ?? ""
        guard start != nil || shape.component == .todo, !uid.isEmpty, known.insert(uid).inserted else {
            return leftOut += 1
        }
        let component = shape.component == .event ? "VEVENT" : "VTODO"
        text.add("BEGIN", component)
        text.add(text: uid + "@" + pack, as: "UID")
        text.add("DTSTAMP", stamp)
        text.add(batch, row, place(shape.summary), as: "SUMMARY")
        let due = CalendarMoment(value(batch, row, shape.due))
        // A task may not start after its due date, nor start at a time of day if it is due on a
        // whole day.
        let shown = due.map { due in start.flatMap { $0.isBefore(due) ? $0 : nil } } ?? start
        if let shown { add(shown, as: "DTSTART", to: &text) }
        if let due { add(due, as: "DUE", to: &text) }
        if let start { addEnd(batch, row, start, to: &text) }
        addRule(batch, row, shown, to: &text)
        addTexts(batch, row, to: &text)
        let isOver = addState(batch, row, to: &text)
        if !isOver { addAlarm(batch, row, hasStart: shown != nil, isDue: due != nil, to: &text) }
        text.add("END", component)
        written += 1
    }

    private mutating func start(_ batch: borrowing RowBatch, _ row: Int) -> CalendarMoment? {
        guard let start = CalendarMoment(value(batch, row, shape.start)) else { return nil }
        guard let time = value(batch, row, shape.time) else { return start }
        return start.at(time, &clock)
    }

    private func addEnd(_ batch: borrowing RowBatch, _ row: Int, _ start: CalendarMoment, to text: inout CalendarText) {
        if let end = CalendarMoment(value(batch, row, shape.end))?.afterLastDay, start.isBefore(end) {
            add(end, as: "DTEND", to: &text)
        } else if let minutes = minutes(shape.minutes, batch, row), minutes > 0 {
            // An entry whose start is a day without a time gets no duration in minutes.
            if case .day = start { return }
            text.add("DURATION", "PT\(minutes)M")
        }
    }

    private mutating func addRule(
        _ batch: borrowing RowBatch, _ row: Int, _ start: CalendarMoment?, to text: inout CalendarText
    ) {
        guard let rule = value(batch, row, shape.repeats) else { return }
        guard let start, RecurrenceRule.isRule(rule, from: start) else { return withoutRule += 1 }
        text.add("RRULE", rule)
    }

    private func addTexts(_ batch: borrowing RowBatch, _ row: Int, to text: inout CalendarText) {
        text.add(batch, row, place(shape.description), as: "DESCRIPTION")
        text.add(batch, row, place(shape.location), as: "LOCATION")
        text.add(batch, row, place(shape.categories), as: "CATEGORIES")
        if let latitude = number(batch, row, shape.latitude), let longitude = number(batch, row, shape.longitude),
            latitude.magnitude <= 90, longitude.magnitude <= 180
        {
            text.add("GEO", "\(latitude);\(longitude)")
        }
        if let priority = number(batch, row, shape.priority), (0...9).contains(priority) {
            text.add("PRIORITY", String(Int(priority)))
        }
        if case .instant(let day, let seconds) = CalendarMoment(value(batch, row, shape.changed)) {
            text.add("LAST-MODIFIED", CalendarMoment.instant(day, seconds: seconds).text)
        }
    }

    /// Adds the state of a task; returns whether it is done or cancelled.
    private func addState(_ batch: borrowing RowBatch, _ row: Int, to text: inout CalendarText) -> Bool {
        if case .instant(let day, let seconds) = CalendarMoment(value(batch, row, shape.done)) {
            text.add("COMPLETED", CalendarMoment.instant(day, seconds: seconds).text)
            text.add("STATUS", "COMPLETED")
            return true
        }
        if value(batch, row, shape.cancelled) != nil {
            text.add("STATUS", "CANCELLED")
            return true
        }
        if shape.component == .todo { text.add("STATUS", "NEEDS-ACTION") }
        return false
    }

    private func addAlarm(
        _ batch: borrowing RowBatch, _ row: Int, hasStart: Bool, isDue: Bool, to text: inout CalendarText
    ) {
        guard let minutes = minutes(shape.alarm, batch, row), minutes >= 0, hasStart || isDue else { return }
        text.add("BEGIN", "VALARM")
        text.add("ACTION", "DISPLAY")
        text.add(text: value(batch, row, shape.summary) ?? "", as: "DESCRIPTION")
        text.add(hasStart ? "TRIGGER" : "TRIGGER;RELATED=END", minutes == 0 ? "PT0S" : "-PT\(minutes)M")
        text.add("END", "VALARM")
    }

    private func add(_ moment: CalendarMoment, as name: String, to text: inout CalendarText) {
        let property = moment.property(name)
        text.add(property.name, property.value)
    }

    private func place(_ column: String?) -> Int? { column.flatMap { places[$0] } }

    private func value(_ batch: borrowing RowBatch, _ row: Int, _ column: String?) -> String? {
        guard let place = place(column) else { return nil }
        return batch.description(row, place)
    }

    private func number(_ batch: borrowing RowBatch, _ row: Int, _ column: String?) -> Double? {
        guard let place = place(column) else { return nil }
        let cell = batch.cell(row, place)
        switch cell.kind {
        case .integer: return Double(cell.integer)
        case .real: return cell.real.isFinite ? cell.real : nil
        case .null, .text: return nil
        }
    }

    private func minutes(_ minutes: CalendarColumns.Minutes?, _ batch: borrowing RowBatch, _ row: Int) -> Int? {
        switch minutes {
        case nil: nil
        case .fixed(let minutes): minutes
        case .column(let column): number(batch, row, column).flatMap { Int(exactly: $0.rounded()) }
        }
    }
}

/// Writes the sheets of an export that have a calendar as one file, `STEM.ics` (RFC 5545). Sheets
/// without a calendar are left out.
///
/// Reports at most one of each of these findings per sheet: `CALENDAR-LEFT-OUT` for rows without a
/// start or without a unique identifier, `CALENDAR-RULE` for invalid rules, and `TEXT-CHARACTER`.
/// Throws `OutputFailure`.
package struct CalendarWriter: ExportWriter {
    package init() {}

    package func write(
        _ document: ExportDocument, stem: String, findings: any FindingSink, progress: (Int) -> Void
    ) throws -> [WrittenFile] {
        var file = try OutputFile(finalPath: stem + ".ics")
        var text = CalendarText()
        begin(document, &text)
        var done = 0, written = 0
        for sheet in document.sheets {
            guard let shape = sheet.calendar else { continue }
            let replaced = text.replaced
            var entries = CalendarEntries(shape, of: sheet, in: document)
            done += try sheet.forEachBatch(progress: { progress(done + $0) }) { batch in
                entries.append(batch, to: &text)
                try text.buffer.withBytes { try file.write($0) }
                text.buffer.removeAll()
            }
            written += entries.written
            for (code, count) in [("CALENDAR-LEFT-OUT", entries.leftOut), ("CALENDAR-RULE", entries.withoutRule)]
            where count > 0 {
                try findings.add(
                    Finding(
                        code, place: Place(sheet: sheet.title),
                        arguments: ["count": String(count), "sheet": sheet.title]))
            }
            try TextChanges(characters: text.replaced - replaced).add(sheet: sheet.title, to: findings)
        }
        text.add("END", "VCALENDAR")
        try text.buffer.withBytes { try file.write($0) }
        return [try file.close(rows: written)]
    }

    private func begin(_ document: ExportDocument, _ text: inout CalendarText) {
        text.add("BEGIN", "VCALENDAR")
        text.add("VERSION", "2.0")
        text.add(
            text:
                "-//Fichero//\(document.packName) \(document.packVersion)//\(document.language.rawValue.uppercased())",
            as: "PRODID")
        text.add("CALSCALE", "GREGORIAN")
        let cover = document.cover
        text.add(text: cover.title, as: "X-WR-CALNAME")
        text.add(
            text: [cover.subtitle, cover.environmentBanner, cover.draftBanner].compactMap(\.self).joined(
                separator: " · "), as: "X-WR-CALDESC")
        text.add(text: document.timeZone.identifier, as: "X-WR-TIMEZONE")
    }
}

/// The grammar of the recurrence rules of calendar entries (RFC 5545, 3.3.10).
enum RecurrenceRule {
    /// Whether a text is a recurrence rule for something that starts at this moment.
    static func isRule(_ text: String, from start: CalendarMoment) -> Bool {
        var keys: Set<String> = []
        for part in text.split(separator: ";", omittingEmptySubsequences: false) {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard pair.count == 2, keys.insert(pair[0]).inserted, isPart(pair[0], pair[1], start) else { return false }
        }
        return keys.contains("FREQ") && !keys.isSuperset(of: ["COUNT", "UNTIL"])
    }

    private static func isPart(_ key: String, _ value: String, _ start: CalendarMoment) -> Bool {
        switch key {
        case "FREQ": ["SECONDLY", "MINUTELY", "HOURLY", "DAILY", "WEEKLY", "MONTHLY", "YEARLY"].contains(value)
        case "UNTIL": isEnd(value, start)
        case "COUNT", "INTERVAL": isNumber(value, 1...999_999)
        case "BYSECOND": isList(value) { isNumber($0, 0...60) }
        case "BYMINUTE": isList(value) { isNumber($0, 0...59) }
        case "BYHOUR": isList(value) { isNumber($0, 0...23) }
        case "BYDAY":
            isList(value) { days.contains(String($0.suffix(2))) && ($0.count == 2 || isSigned($0.dropLast(2), 1...53)) }
        case "BYMONTHDAY": isList(value) { isSigned($0, 1...31) }
        case "BYYEARDAY", "BYSETPOS": isList(value) { isSigned($0, 1...366) }
        case "BYWEEKNO": isList(value) { isSigned($0, 1...53) }
        case "BYMONTH": isList(value) { isNumber($0, 1...12) }
        case "WKST": days.contains(value)
        default: false
        }
    }

    private static let days: Set = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]

    private static func isList(_ text: String, _ isItem: (Substring) -> Bool) -> Bool {
        text.split(separator: ",", omittingEmptySubsequences: false).allSatisfy(isItem)
    }

    private static func isNumber(_ text: some StringProtocol, _ range: ClosedRange<Int>) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { (0x30...0x39).contains($0) } && Int(text).map(range.contains) == true
    }

    private static func isSigned(_ text: Substring, _ range: ClosedRange<Int>) -> Bool {
        isNumber(text.first == "+" || text.first == "-" ? text.dropFirst() : text, range)
    }

    /// Whether an `UNTIL` value has the form of the start: a day, a local time or an instant.
    private static func isEnd(_ text: String, _ start: CalendarMoment) -> Bool {
        let form =
            switch start {
            case .day: "00000000"
            case .floating: "00000000T000000"
            case .instant: "00000000T000000Z"
            }
        return text.utf8.count == form.utf8.count
            && zip(text.utf8, form.utf8).allSatisfy { byte, wanted in
                wanted == UInt8(ascii: "0") ? (0x30...0x39).contains(byte) : byte == wanted
            }
    }
}
