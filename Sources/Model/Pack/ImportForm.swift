extension ImportMapping {
    /// Sheets that are forms: values beside their labels, and small tables below a heading of their own. `imports/NAME.yaml`, `forms`.
    package struct Form: Sendable {
        /// Names of sheets, `*` for any piece of a name; none: every sheet.
        package var names: [String]
        package var takesHidden: Bool
        /// The first form's upper left cell.
        package var start: SheetCell
        /// Where several stand on one sheet: how far one lies from the next.
        package var every: Distance
        /// Values without which a form is an empty one: it is counted as filtered.
        package var present: [String]
        package var values: [FormValue]
        package var tables: [FormTable]
        /// Pictures are photos at or below one of these labels; none: anywhere, a letterhead's too.
        package var picturesBelow: [String]
        /// What expressions speak of: names of values and of columns, with a type.
        package var columns: [Column]
        package var filter: Expression?
        /// Parents first.
        package var rows: [FormTarget]

        package init(
            names: [String] = [], takesHidden: Bool = false, start: SheetCell = SheetCell(row: 0, column: 0), every: Distance = Distance(),
            present: [String] = [], values: [FormValue], tables: [FormTable] = [], picturesBelow: [String] = [], columns: [Column] = [],
            filter: Expression? = nil, rows: [FormTarget]
        ) {
            self.names = names
            self.takesHidden = takesHidden
            self.start = start
            self.every = every
            self.present = present
            self.values = values
            self.tables = tables
            self.picturesBelow = picturesBelow
            self.columns = columns
            self.filter = filter
            self.rows = rows
        }

        /// The entity of which each form is a record: the first whose key says a value without which there is no form.
        package var record: String? {
            rows.first { row in
                row.of == .form && row.target.fields.contains { field in
                    guard row.target.key.contains(field.name), case .column(let names) = field.value else { return false }
                    return names.contains(where: present.contains)
                }
            }?.target.entity
        }

        /// The part of a mapping by which a target's rows are made, once the form has been read as a table.
        package func table(for row: FormTarget) -> Table {
            // A target that speaks of no column reads none.
            let reads = filter != nil || row.target.filter != nil || row.target.fields.contains(where: \.isOfExpression)
            return Table(names: names, columns: reads ? columns : [], requires: present, filter: filter, targets: [row.target])
        }
    }

    /// In rows and columns; nil: there is but one that way.
    package struct Distance: Sendable, Hashable {
        package var rows: Int?
        package var columns: Int?

        package init(rows: Int? = nil, columns: Int? = nil) {
            self.rows = rows
            self.columns = columns
        }
    }

    /// A value of a form and how it is found.
    package struct FormValue: Sendable {
        package enum Place: Sendable, Hashable {
            /// Beside the first label that is there, or behind the colon in the label's own cell. With `within`, only at or after
            /// that label and at most three rows below it.
            case label([String], Side, within: [String])
            /// From the form's upper left cell.
            case cell(SheetCell)
        }

        package enum Side: Sendable, Hashable {
            case right, below
            /// Behind the colon in the label's own cell.
            case same
            /// So many rows down and columns to the right of the label's first cell.
            case away(rows: Int, columns: Int)
        }

        package var name: String
        package var place: Place
        /// Whether a form may lack the label.
        package var isOptional: Bool

        /// None for a value in a fixed cell.
        package var labels: [String] {
            if case .label(let labels, _, _) = place { return labels }
            return []
        }

        package init(_ name: String, _ place: Place, isOptional: Bool = false) {
            self.name = name
            self.place = place
            self.isOptional = isOptional
        }
    }

    /// A table within a form.
    package struct FormTable: Sendable {
        package var name: String
        /// Columns by their names, each with the headings that it may have; headings of several rows count as a whole or by their last.
        package var columns: [(name: String, headings: [String])]
        /// How many rows the heading has; nil: as many as its merged cells.
        package var headingRows: Int?
        /// A column is a row of the table, the headings stand in a column.
        package var isSideways: Bool
        /// Labels that end it; none: the first blank row does.
        package var until: [String]

        package init(
            _ name: String, columns: [(name: String, headings: [String])], headingRows: Int? = nil, isSideways: Bool = false, until: [String] = []
        ) {
            self.name = name
            self.columns = columns
            self.headingRows = headingRows
            self.isSideways = isSideways
            self.until = until
        }
    }

    /// Rows of an entity that a form gives.
    package struct FormTarget: Sendable {
        package enum Of: Sendable, Hashable {
            /// One for each form.
            case form
            case table(String)
            /// One for each picture that lies over the form, each link.
            case pictures, links
        }

        package var of: Of
        package var target: Target

        package init(of: Of = .form, _ target: Target) {
            self.of = of
            self.target = target
        }

        /// Columns that pictures and links have.
        package static let photoColumns = [
            "name", "path", "text", "cell", "type", "sha256", "bytes", "width", "height", "latitude", "longitude", "taken",
        ]
    }
}

extension ImportMapping.Field {
    /// Whether the value is, or is made with, the id of a row of an entity.
    package func refers(to entity: String) -> Bool {
        switch value {
        case .parent(let parent, let by): parent == entity || by.contains { $0.refers(to: entity) }
        case .identifier(let by): by.contains { $0.refers(to: entity) }
        default: false
        }
    }

    /// Whether an expression has a say in the value.
    fileprivate var isOfExpression: Bool {
        switch value {
        case .expression: true
        case .parent(_, let by), .identifier(let by), .object(let by), .merge(let by): by.contains(where: \.isOfExpression)
        case .other(let other): other.by.contains(where: \.isOfExpression)
        case .column, .join, .constant, .ordinal, .layer: false
        }
    }
}

/// A cell of a sheet, counted from zero.
package struct SheetCell: Sendable, Hashable, Comparable {
    package var row: Int
    package var column: Int

    package init(row: Int, column: Int) {
        self.row = row
        self.column = column
    }

    /// Reads `H4`; nil for what names no cell of a sheet of Excel.
    package init?(_ name: String) {
        let letters = name.utf8.prefix { (65...90).contains($0) }
        let digits = name.utf8.dropFirst(letters.count)
        guard (1...3).contains(letters.count), (1...7).contains(digits.count), digits.allSatisfy({ (48...57).contains($0) }),
            let row = Int(String(name.dropFirst(letters.count)))
        else { return nil }
        let column = letters.reduce(0) { $0 * 26 + Int($1) - 64 }
        guard (1...1_048_576).contains(row), column <= 16_384 else { return nil }
        (self.row, self.column) = (row - 1, column - 1)
    }

    /// The order in which a sheet is read: row after row.
    package static func < (left: SheetCell, right: SheetCell) -> Bool { (left.row, left.column) < (right.row, right.column) }
}
