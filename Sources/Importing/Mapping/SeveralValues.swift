import Foundation
import Model

/// Reports cells with several values where a record can hold only one: the mapping takes the first.
struct SeveralValues {
    private let columns: [(name: String, places: [Int], separator: String)]

    init(_ several: [ImportMapping.Several], _ heading: Heading) {
        columns = several.compactMap { one in
            let places = heading.places(of: one.headings)
            return places.isEmpty ? nil : (one.headings[0], places, one.separator)
        }
    }

    var isEmpty: Bool { columns.isEmpty }

    func findings(in row: ForeignRow, at place: Place) -> [Finding] {
        columns.compactMap { name, places, separator in
            guard let text = row.first(places)?.text, text.contains(separator) else { return nil }
            let values = text.components(separatedBy: separator).map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
            guard values.count > 1 else { return nil }
            return Finding(
                "IMPORT-SEVERAL", place: place,
                arguments: [
                    "name": name, "value": String(values[0].prefix(80)), "others": String(values.dropFirst().joined(separator: ", ").prefix(200)),
                ])
        }
    }
}
