extension ImportMapping {
    /// Sheets that are forms: values beside their labels, and small tables below a heading (`forms`
    /// in `imports/NAME.yaml`).
    package struct Form: Sendable {
        /// Names of sheets, `*` for any part of a name; empty: every sheet.
        package var names: [String]
        /// Whether hidden sheets are read too.
        package var takesHidden: Bool
        /// The first form's upper left cell.
        package var start: SheetCell
        /// The distance between the forms of a sheet that has several.
        package var every: Distance
        /// Values that every completed form has. A form that lacks one is empty, and is counted as
        /// filtered.
        package var present: [String]
        package var values: [FormValue]
        package var tables: [FormTable]
        /// Pictures at or below one of these labels are photos; empty: any picture, even a
        /// letterhead's.
        package var picturesBelow: [String]
        /// The names of values and columns in expressions, with their types.
        package var columns: [Column]
        package var filter: Expression?
        /// Parent entities first.
        package var rows: [FormTarget]

        package init(
            names: [String] = [], takesHidden: Bool = false, start: SheetCell = SheetCell(row: 0, column: 0),
            every: Distance = Distance(),
            present: [String] = [], values: [FormValue], tables: [FormTable] = [], picturesBelow: [String] = [],
            columns: [Column] = [],
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

        /// The entity of which each form is a record: the first whose key uses a value of
        /// `present`.
        package var record: String? {
            rows.first { row in
                row.of == .form && row.target.fields.contains { field in
                        guard row.target.key.contains(field.name), case .column(let names) = field.value else {
                            return false
                        }
                    return names.contains(where: present.contains)
                }
            }?.target.entity
        }

        /// A mapping table that makes a target's rows, once the form has been read as a table.
        package func table(for row: FormTarget) -> Table {
            // Without expressions, the columns are not needed.
            let reads = filter != nil || row.target.filter != nil || row.target.fields.contains(where: \.isOfExpression)
            return Table(
                names: names, columns: reads ? columns : [], requires: present, filter: filter, targets: [row.target])
        }
    }

    /// The distance in rows and columns; nil: only one form in that direction.
    package struct Distance: Sendable, Hashable {
        package var rows: Int?
        package var columns: Int?

        package init(rows: Int? = nil, columns: Int? = nil) {
            self.rows = rows
            self.columns = columns
        }
    }

    /// A value of a form and how to find it.
    package struct FormValue: Sendable {
        package enum Place: Sendable, Hashable {
            /// Beside the first label that exists, or after the colon in the label's cell. With
            /// `within`, only at or after that label and at most three rows below it.
            case label([String], Side, within: [String])
            /// A cell relative to the form's upper left cell.
            case cell(SheetCell)
        }

        package enum Side: Sendable, Hashable {
            case right, below
            /// After the colon in the label's cell.
            case same
            /// This number of rows below, and of columns to the right of, the label's first cell.
            case away(rows: Int, columns: Int)
        }

        package var name: String
        package var place: Place
        /// Whether a form may lack the label.
        package var isOptional: Bool

        /// The value's labels; empty for a value in a fixed cell.
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
        /// Columns by name, each with its possible headings. A heading of several rows is matched
        /// as a whole or by its last row.
        package var columns: [(name: String, headings: [String])]
        /// The number of rows of the heading; nil: as many as its merged cells have.
        package var headingRows: Int?
        /// Whether a sheet's column is a row of the table, with the headings in the first column.
        package var isSideways: Bool
        /// Labels that end the table; empty: the first blank row ends it.
        package var until: [String]

        package init(
            _ name: String, columns: [(name: String, headings: [String])], headingRows: Int? = nil,
            isSideways: Bool = false, until: [String] = []
        ) {
            self.name = name
            self.columns = columns
            self.headingRows = headingRows
            self.isSideways = isSideways
            self.until = until
        }
    }

    /// Rows of an entity that are made from a form.
    package struct FormTarget: Sendable {
        package enum Of: Sendable, Hashable {
            /// One for each form.
            case form
            case table(String)
            /// One row for each picture that lies over the form, or for each link.
            case pictures, links
        }

        /// The part of the form from which the rows are made.
        package var of: Of
        package var target: Target

        package init(of: Of = .form, _ target: Target) {
            self.of = of
            self.target = target
        }

        /// Columns of pictures and links.
        package static let photoColumns = [
            "name", "path", "text", "cell", "type", "sha256", "bytes", "width", "height", "latitude", "longitude",
            "taken",
        ]
    }
}

extension ImportMapping.Form {
    init(_ node: PackNode) {
        self.init(
            names: node.texts("sheets"), takesHidden: node.isTrue("hidden"),
            start: node.text("start").flatMap(SheetCell.init) ?? SheetCell(row: 0, column: 0),
            every: .init(rows: node["every"]?.integer("rows"), columns: node["every"]?.integer("columns")),
            present: node.texts("present"),
            values: node.pairs("values").map(ImportMapping.FormValue.init),
            tables: node.pairs("tables").map(ImportMapping.FormTable.init),
            picturesBelow: node.textOrTexts("picturesBelow"),
            columns: node.pairs("columns").map(ImportMapping.Column.init),
            filter: node.expression("where"),
            rows: Self.rows(node.items("rows")))
    }
}

extension ImportMapping.Form {
    private static func rows(_ nodes: [PackNode]) -> [ImportMapping.FormTarget] {
        let rows = nodes.compactMap { row in
            ImportMapping.Target(row).map { ImportMapping.FormTarget(of: .init(row.text("of")), $0) }
        }
        return zip(rows, rows.map(\.target).linked).map { .init(of: $0.of, $1) }
    }
}

extension ImportMapping.FormValue {
    init(_ pair: PackNode.Pair) {
        let node = pair.value
        if let cell = node.text("cell").flatMap(SheetCell.init) {
            self.init(pair.key, .cell(cell))
        } else {
            let labels = (node["label"] ?? node).textOrTexts
            self.init(
                pair.key, .label(labels, Side(node["at"]), within: node.textOrTexts("within")),
                isOptional: node.isTrue("optional"))
        }
    }
}

extension ImportMapping.FormValue.Side {
    fileprivate init(_ node: PackNode?) {
        switch node?.text {
        case "below": self = .below
        case "same": self = .same
        default: self = node?.integer("row").map { .away(rows: $0, columns: node?.integer("column") ?? 0) } ?? .right
        }
    }
}

extension ImportMapping.FormTable {
    package init(_ pair: PackNode.Pair) {
        let node = pair.value
        self.init(
            pair.key, columns: node.pairs("columns").map { ($0.key, $0.value.textOrTexts) },
            headingRows: node.integer("headingRows"),
            isSideways: node.isTrue("sideways"), until: node.textOrTexts("until"))
    }
}

extension ImportMapping.FormTarget.Of {
    package init(_ name: String?) {
        switch name {
        case nil: self = .form
        case "pictures": self = .pictures
        case "links": self = .links
        case .some(let name): self = .table(name)
        }
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

    /// Whether the value depends on an expression.
    fileprivate var isOfExpression: Bool {
        switch value {
        case .expression: true
        case .parent(_, let by), .identifier(let by), .object(let by), .merge(let by):
            by.contains(where: \.isOfExpression)
        case .other(let other): other.by.contains(where: \.isOfExpression)
        case .column, .join, .constant, .option, .ofTable, .named, .ordinal, .layer: false
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

    /// Reads `H4`; nil for a text that is not a cell of an Excel sheet.
    package init?(_ name: String) {
        let letters = name.utf8.prefix { (65...90).contains($0) }
        let digits = name.utf8.dropFirst(letters.count)
        guard (1...3).contains(letters.count), (1...7).contains(digits.count),
            digits.allSatisfy({ (48...57).contains($0) }),
            let row = Int(String(name.dropFirst(letters.count)))
        else { return nil }
        let column = letters.reduce(0) { $0 * 26 + Int($1) - 64 }
        guard (1...1_048_576).contains(row), column <= 16_384 else { return nil }
        (self.row, self.column) = (row - 1, column - 1)
    }

    /// The order in which a sheet is read: row after row.
    package static func < (left: SheetCell, right: SheetCell) -> Bool {
        (left.row, left.column) < (right.row, right.column)
    }
}
