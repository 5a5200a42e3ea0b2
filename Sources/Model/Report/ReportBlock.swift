/// A block of a report's section, one below the other.
package struct ReportBlock: Sendable, Hashable {
    /// Shown only where this holds of the section's row; nil: always.
    package var when: Expression?
    package var content: Content

    package init(when: Expression? = nil, content: Content) {
        self.when = when
        self.content = content
    }

    package enum Content: Sendable, Hashable {
        case title(ReportText, level: Int)
        case text(ReportText, style: TextStyle)
        /// A mustache file of the report's folder, filled from the section's row.
        case page(file: String, template: String)
        case fields(columns: Int, [Item])
        case table(Table)
        case pivot(Pivot)
        case chart(Chart)
        case photos(Photos)
        /// A file of the report's folder: PNG or JPEG; height in millimetres.
        case picture(file: String, height: Double)
        case log(Log)
        case strip(Strip)
        case profile(Profile)
        case sketch(Sketch)
        case plan(Plan)
        /// The symbols that a query's rows use, with their names.
        case symbols(query: String, symbol: String)
        case signatures([Signature])
        case pageBreak
        case space(Double)
    }

    package enum TextStyle: String, Sendable, CaseIterable {
        case normal, small, note
    }

    /// A value: a column of the row, or what an expression makes of it.
    package struct Item: Sendable, Hashable {
        package var value: Value
        package var label: ReportText?
        /// How many of the block's columns it takes.
        package var span: Int
        /// Shown where there is no value; nil: a dash.
        package var empty: ReportText?
        /// Left out, label and all, where there is no value.
        package var hidesEmpty: Bool

        package init(value: Value, label: ReportText? = nil, span: Int = 1, empty: ReportText? = nil, hidesEmpty: Bool = false) {
            self.value = value
            self.label = label
            self.span = span
            self.empty = empty
            self.hidesEmpty = hidesEmpty
        }
    }

    package enum Value: Sendable, Hashable {
        case column(String)
        /// A column's value as stored, not by its vocabulary's text.
        case code(String)
        case expression(Expression, ReportColumn)
        /// A pattern or a text with `{column}`.
        case text(ReportText)
    }

    package enum Total: String, Sendable, CaseIterable {
        case sum, count, mean, minimum = "min", maximum = "max"
    }

    /// How a row or cell stands out.
    package enum Tone: String, Sendable, CaseIterable {
        case strong, muted, warning, danger, good
    }

    package struct Table: Sendable, Hashable {
        package var title: ReportText?
        package var query: String
        package var columns: [Column]
        /// Columns whose value opens a group with a line of its own, and subtotals under it.
        package var group: [String]
        /// Which columns are totalled, and how.
        package var totals: [String: Total]
        /// Shown instead of an empty table; nil: the block is left out.
        package var empty: ReportText?
        package var tones: [ToneRule]

        package init(
            title: ReportText? = nil, query: String, columns: [Column], group: [String] = [], totals: [String: Total] = [:],
            empty: ReportText? = nil, tones: [ToneRule] = []
        ) {
            self.title = title
            self.query = query
            self.columns = columns
            self.group = group
            self.totals = totals
            self.empty = empty
            self.tones = tones
        }
    }

    package struct ToneRule: Sendable, Hashable {
        package var when: Expression
        package var tone: Tone

        package init(when: Expression, tone: Tone) {
            self.when = when
            self.tone = tone
        }
    }

    package struct Column: Sendable, Hashable {
        package var value: Value
        package var label: ReportText?
        /// Share of the width; nil: by what it holds.
        package var width: Double?
        /// Left out where no row has a value.
        package var hidesEmpty: Bool
        /// The section (`each`) whose page for the row is opened: the row's `id` is that of the section's row.
        package var link: String?

        package init(value: Value, label: ReportText? = nil, width: Double? = nil, hidesEmpty: Bool = false, link: String? = nil) {
            self.value = value
            self.label = label
            self.width = width
            self.hidesEmpty = hidesEmpty
            self.link = link
        }
    }

    /// Rows by one column, columns by another, and in the cells a count or a sum; totals on both sides.
    package struct Pivot: Sendable, Hashable {
        package var title: ReportText?
        package var query: String
        package var rows: String
        package var columns: String
        /// The column that is totalled; nil: rows are counted.
        package var value: String?
        package var total: Total
        package var empty: ReportText?

        package init(title: ReportText?, query: String, rows: String, columns: String, value: String?, total: Total, empty: ReportText?) {
            self.title = title
            self.query = query
            self.rows = rows
            self.columns = columns
            self.value = value
            self.total = total
            self.empty = empty
        }
    }

    package struct Chart: Sendable, Hashable {
        package enum Kind: String, Sendable, CaseIterable {
            case columns, bars, stacked, line, pie
        }

        package var title: ReportText?
        package var kind: Kind
        package var query: String
        package var category: String
        package var values: [String]
        /// A column whose values make a series each of the one in `values`.
        package var split: String?
        /// In millimetres.
        package var height: Double

        package init(title: ReportText?, kind: Kind, query: String, category: String, values: [String], split: String?, height: Double) {
            self.title = title
            self.kind = kind
            self.query = query
            self.category = category
            self.values = values
            self.split = split
            self.height = height
        }
    }

    package struct Photos: Sendable, Hashable {
        package var title: ReportText?
        package var query: String
        /// Column with the photo's path beside the replica.
        package var path: String
        package var caption: ReportText
        /// The address of the original, over the photo's row.
        package var link: ReportText?
        package var columns: Int
        /// Of a picture, in millimetres.
        package var height: Double
        package var empty: ReportText?

        package init(title: ReportText?, query: String, path: String, caption: ReportText, link: ReportText?, columns: Int, height: Double, empty: ReportText?) {
            self.title = title
            self.query = query
            self.path = path
            self.caption = caption
            self.link = link
            self.columns = columns
            self.height = height
            self.empty = empty
        }
    }

    /// Columns that say what a layer is.
    package struct Layers: Sendable, Hashable {
        package var query: String
        package var from: String
        package var to: String
        package var symbol: String

        package init(query: String, from: String, to: String, symbol: String) {
            self.query = query
            self.from = from
            self.to = to
            self.symbol = symbol
        }
    }

    /// The body of an excavation's record: a depth scale with everything beside it at its depth. Depths in metres.
    package struct Log: Sendable, Hashable {
        package var layers: Layers
        package var number: String?
        package var description: Value
        /// Over the section's row: the whole depth, and the depth of water.
        package var total: String?
        package var water: String?
        package var sample: String?
        package var sampleDepth: String?
        /// Further columns, to the right of the description.
        package var columns: [Column]
        /// Scales 1:n to choose from; the first with which it fits the page is taken, else the last, over several pages.
        package var scales: [Int]
        package var empty: ReportText

        package init(
            layers: Layers, number: String?, description: Value, total: String?, water: String?, sample: String?, sampleDepth: String?,
            columns: [Column], scales: [Int], empty: ReportText
        ) {
            self.layers = layers
            self.number = number
            self.description = description
            self.total = total
            self.water = water
            self.sample = sample
            self.sampleDepth = sampleDepth
            self.columns = columns
            self.scales = scales
            self.empty = empty
        }
    }

    /// A column of layers alone; height in millimetres.
    package struct Strip: Sendable, Hashable {
        package var layers: Layers
        package var total: String?
        package var water: String?
        package var height: Double

        package init(layers: Layers, total: String?, water: String?, height: Double) {
            self.layers = layers
            self.total = total
            self.water = water
            self.height = height
        }
    }

    /// Pits along a chainage in elevation.
    package struct Profile: Sendable, Hashable {
        package var query: String
        package var label: String
        /// Columns of the pits' query, in metres; a chainage may be a text such as `12+300`.
        package var chainage: String
        package var elevation: String
        package var depth: String
        package var water: String?
        package var layers: Layers
        /// Column of the layers' query with the pit's id.
        package var owner: String
        package var joinsContacts: Bool
        /// In millimetres; nil: the page's.
        package var height: Double?

        package init(
            query: String, label: String, chainage: String, elevation: String, depth: String, water: String?, layers: Layers, owner: String,
            joinsContacts: Bool, height: Double?
        ) {
            self.query = query
            self.label = label
            self.chainage = chainage
            self.elevation = elevation
            self.depth = depth
            self.water = water
            self.layers = layers
            self.owner = owner
            self.joinsContacts = joinsContacts
            self.height = height
        }
    }

    /// Points by their UTM coordinates in metres, with north arrow and scale bar.
    package struct Sketch: Sendable, Hashable {
        package var query: String
        package var easting: String
        package var northing: String
        package var label: String
        package var height: Double

        package init(query: String, easting: String, northing: String, label: String, height: Double) {
            self.query = query
            self.easting = easting
            self.northing = northing
            self.label = label
            self.height = height
        }
    }

    /// A level's rooms over its drawing. Coordinates are metres from the level's origin.
    package struct Plan: Sendable, Hashable {
        /// The rooms: columns with the ring, what is written into it, the state that colours it, and how much is in it.
        package var query: String
        package var polygon: String
        package var label: ReportText
        package var state: String?
        package var count: String?
        /// Of the section's row: drawing under the rooms (GeoJSON), boundary, and the angle of north in degrees.
        package var background: String?
        /// The point of the drawing's coordinates where the rooms' begin; nil: both have the same.
        package var origin: String?
        package var boundary: String?
        package var north: String?
        /// Rows with a point each.
        package var points: String?
        package var point: String?
        /// A column of the rooms' query that is equal to the section's row's `id` in the one room to be shown.
        package var only: String?
        /// In millimetres; nil: the page's.
        package var height: Double?
        package var empty: ReportText?

        package init(
            query: String, polygon: String, label: ReportText, state: String?, count: String?, background: String?, origin: String?,
            boundary: String?, north: String?, points: String?, point: String?, only: String?, height: Double?, empty: ReportText?
        ) {
            self.query = query
            self.polygon = polygon
            self.label = label
            self.state = state
            self.count = count
            self.background = background
            self.origin = origin
            self.boundary = boundary
            self.north = north
            self.points = points
            self.point = point
            self.only = only
            self.height = height
            self.empty = empty
        }
    }

    package struct Signature: Sendable, Hashable {
        package var label: ReportText
        /// Column with the name under the line.
        package var name: String?

        package init(label: ReportText, name: String?) {
            self.label = label
            self.name = name
        }
    }
}
