import Foundation
package import Model
import OutputFiles

/// Writes the sheets of an export that have a calendar as one file, `STEM.ics` (RFC 5545). Other
/// sheets are not in it.
///
/// Adds once for each sheet: `CALENDAR-LEFT-OUT` for rows without a start or without an identifier of
/// their own, `CALENDAR-RULE` for rules that are none, and `TEXT-CHARACTER`. Throws
/// `OutputFailure`.
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
            for (code, count) in [("CALENDAR-LEFT-OUT", entries.leftOut), ("CALENDAR-RULE", entries.withoutRule)] where count > 0 {
                try findings.add(Finding(code, place: Place(sheet: sheet.title), arguments: ["count": String(count), "sheet": sheet.title]))
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
        text.add(text: "-//Fichero//\(document.packName) \(document.packVersion)//\(document.language.rawValue.uppercased())", as: "PRODID")
        text.add("CALSCALE", "GREGORIAN")
        let cover = document.cover
        text.add(text: cover.title, as: "X-WR-CALNAME")
        text.add(text: [cover.subtitle, cover.environmentBanner, cover.draftBanner].compactMap(\.self).joined(separator: " · "), as: "X-WR-CALDESC")
        text.add(text: document.timeZone.identifier, as: "X-WR-TIMEZONE")
    }
}
