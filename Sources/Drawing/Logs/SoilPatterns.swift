/// The marks of each soil in a cell of 20 × 20 points. A mark that crosses an edge is repeated at
/// the opposite one, so that cells join. Grains and short strokes do not reach the edges, so that a
/// PDF viewer can repeat their cells without seams.
enum SoilPatterns {
    static let cell = 20.0

    // MARK: Coarse grains

    /// Gravel. Well graded: pebbles of all sizes. Poorly graded: pebbles of one size, in rows.
    /// Ungraded: two medium ones.
    static func gravel(_ grading: Character?, withFines: Bool) -> [SoilMark] {
        switch grading {
        // The upper right and the lower left quarter of the cell are reserved for the fines.
        case "W" where withFines:
            [
                .pebble(x: 5.2, y: 4.6, rx: 4, ry: 2.9, turn: 0.3), .pebble(x: 2.2, y: 9.3, rx: 1.1, ry: 0.9, turn: 0),
                .pebble(x: 8.6, y: 9, rx: 1.5, ry: 1.1, turn: -0.3),
                .pebble(x: 13, y: 13.6, rx: 2.3, ry: 1.8, turn: -0.4),
                .pebble(x: 17.6, y: 17, rx: 1.9, ry: 1.4, turn: 0.4), .pebble(x: 11.6, y: 18, rx: 1, ry: 0.8, turn: 0),
            ]
        case "P" where withFines:
            [(2.6, 5.2), (8.2, 5.2), (12.6, 15.2), (18.2, 15.2)].map {
                .pebble(x: $0.0, y: $0.1, rx: 2.3, ry: 2.3, turn: 0)
            }
        case "W":
            [
                .pebble(x: 5.2, y: 5, rx: 3.5, ry: 2.6, turn: 0.3),
                .pebble(x: 14.2, y: 4.2, rx: 2.1, ry: 1.6, turn: -0.4),
                .pebble(x: 12.6, y: 12.4, rx: 4.2, ry: 3, turn: -0.25),
                .pebble(x: 3.6, y: 14.8, rx: 2.2, ry: 1.7, turn: 0.5),
                .pebble(x: 18.3, y: 17.4, rx: 1.3, ry: 1, turn: 0), .pebble(x: 8, y: 18.2, rx: 1.2, ry: 0.9, turn: 0.2),
                .pebble(x: 17.9, y: 8.1, rx: 1, ry: 0.8, turn: 0), .pebble(x: 5.4, y: 10, rx: 0.9, ry: 0.7, turn: 0),
            ]
        case "P":
            [
                .pebble(x: 3, y: 5, rx: 2.6, ry: 2.6, turn: 0), .pebble(x: 13, y: 5, rx: 2.6, ry: 2.6, turn: 0),
                .pebble(x: 7, y: 15, rx: 2.6, ry: 2.6, turn: 0), .pebble(x: 17, y: 15, rx: 2.6, ry: 2.6, turn: 0),
            ]
        default:
            [
                .pebble(x: 5.5, y: 5, rx: 3.2, ry: 2.3, turn: 0.2),
                .pebble(x: 14.5, y: 14.6, rx: 3.2, ry: 2.3, turn: -0.3),
            ]
        }
    }

    static func sand(_ grading: Character?, withFines: Bool) -> [SoilMark] {
        switch grading {
        case "W" where withFines:
            [
                .dot(x: 3.6, y: 3.4, size: 2.2), .dot(x: 9, y: 2, size: 1), .dot(x: 7.6, y: 7.4, size: 1.6),
                .dot(x: 2, y: 9, size: 1),
                .dot(x: 12, y: 12, size: 1.6), .dot(x: 17.4, y: 11.8, size: 1), .dot(x: 14, y: 17, size: 2.2),
                .dot(x: 19, y: 16.6, size: 1),
            ]
        case "W":
            [
                .dot(x: 3, y: 3.5, size: 2.2), .dot(x: 9, y: 2, size: 0.9), .dot(x: 15, y: 4.5, size: 1.5),
                .dot(x: 18.5, y: 9, size: 0.9),
                .dot(x: 6.2, y: 8, size: 1.1), .dot(x: 12, y: 9.5, size: 2.2), .dot(x: 2, y: 12, size: 0.9),
                .dot(x: 7.5, y: 13.8, size: 1.6),
                .dot(x: 16.5, y: 14.5, size: 1.1), .dot(x: 3, y: 18, size: 1.5), .dot(x: 11.5, y: 18, size: 0.9),
                .dot(x: 17.5, y: 18.7, size: 2.2),
            ]
        case "P":
            rows(withFines: withFines)
        default:
            [
                .dot(x: 3, y: 3, size: 1.4), .dot(x: 8.6, y: 2, size: 1.4), .dot(x: 6.4, y: 7.4, size: 1.4),
                .dot(x: 1.4, y: 8.6, size: 1.4),
                .dot(x: 12, y: 12.4, size: 1.4), .dot(x: 17.6, y: 11.6, size: 1.4), .dot(x: 15, y: 17, size: 1.4),
                .dot(x: 10.4, y: 18, size: 1.4),
            ]
        }
    }

    /// Grains of one size, five points apart, every other row shifted, with space for fines if
    /// there are any.
    private static func rows(withFines: Bool) -> [SoilMark] {
        var marks: [SoilMark] = []
        for row in 0..<4 {
            let y = 2.5 + Double(row) * 5
            for column in 0..<4 {
                let x = Double(column) * 5 + (row % 2 == 0 ? 1.25 : 3.75)
                let isTaken = withFines && column == 3 - row
                if !isTaken { marks.append(.dot(x: x, y: y, size: 1.2)) }
            }
        }
        return marks
    }

    // MARK: Fines

    /// A few strokes between coarse grains (`some`), or a fine soil of low or high plasticity.
    enum Amount { case some, low, high }

    /// Vertical strokes: a few between grains, rows of short ones (ML), close and long ones (MH).
    static func silt(_ amount: Amount) -> [SoilMark] {
        switch amount {
        case .some: [.stroke(x: 15, y: 2.5, toX: 15, toY: 8.5), .stroke(x: 5, y: 12.5, toX: 5, toY: 18.5)]
        case .low:
            [(5, 1.5), (11.7, 1.5), (18.3, 1.5), (1.7, 11.5), (8.3, 11.5), (15, 11.5)].map {
                .stroke(x: $0.0, y: $0.1, toX: $0.0, toY: $0.1 + 6)
            }
        case .high:
            [(2, 1), (6, 11), (10, 1), (14, 11), (18, 1)].map { .heavy(x: $0.0, y: $0.1, toX: $0.0, toY: $0.1 + 8) }
                + [(2, 12.0), (6, 2), (10, 12), (14, 2), (18, 12)].map {
                    .stroke(x: $0.0, y: $0.1, toX: $0.0, toY: $0.1 + 6)
                }
        }
    }

    /// Diagonal strokes: a few between grains, lines 10 apart (CL), heavy lines 5 apart (CH).
    static func clay(_ amount: Amount) -> [SoilMark] {
        switch amount {
        case .some: [.stroke(x: 12.6, y: 8, toX: 17.4, toY: 3.2), .stroke(x: 2.6, y: 18, toX: 7.4, toY: 13.2)]
        case .low:
            [
                .stroke(x: 0, y: 10, toX: 10, toY: 0), .stroke(x: 0, y: 20, toX: 20, toY: 0),
                .stroke(x: 10, y: 20, toX: 20, toY: 10),
            ]
        case .high:
            stride(from: 5.0, through: 40, by: 5).filter { $0 < 40 }.map {
                .heavy(x: max(0, $0 - 20), y: min(20, $0), toX: min(20, $0), toY: max(0, $0 - 20))
            }
        }
    }

    // MARK: Whole soils

    /// Silt and clay of one deposit (CL-ML): diagonals with short verticals between.
    static let siltyClay: [SoilMark] =
        clay(.low) + [
            .stroke(x: 3, y: 1.5, toX: 3, toY: 5), .stroke(x: 14, y: 0.6, toX: 14, toY: 4.1),
            .stroke(x: 10, y: 4, toX: 10, toY: 8),
            .stroke(x: 3.4, y: 11.6, toX: 3.4, toY: 14.6), .stroke(x: 17, y: 6.4, toX: 17, toY: 10.2),
            .stroke(x: 10, y: 13, toX: 10, toY: 17),
            .stroke(x: 17, y: 15.6, toX: 17, toY: 19),
        ]

    /// Organic silt: short dashes and tufts; organic clay: diagonals and tufts.
    static let organicSilt: [SoilMark] = [
        .tuft(x: 5, y: 6.5, size: 2.6), .tuft(x: 15, y: 16.5, size: 2.6), .stroke(x: 12, y: 5.5, toX: 18, toY: 5.5),
        .stroke(x: 2, y: 15.5, toX: 8, toY: 15.5),
    ]
    static let organicClay: [SoilMark] =
        clay(.low) + [
            .tuft(x: 8.5, y: 7.6, size: 2.4), .tuft(x: 18, y: 8.2, size: 2.4), .tuft(x: 8.5, y: 18, size: 2.4),
            .tuft(x: 18, y: 18.2, size: 2.4),
        ]
    static let peat: [SoilMark] = [
        .fibre(x: 0, y: 3.5, length: 10), .fibre(x: 10, y: 3.5, length: 10), .fibre(x: -5, y: 10, length: 10),
        .fibre(x: 5, y: 10, length: 10),
        .fibre(x: 15, y: 10, length: 10), .fibre(x: 0, y: 16.5, length: 10), .fibre(x: 10, y: 16.5, length: 10),
    ]
    static let topsoil: [SoilMark] = [
        .tuft(x: 5, y: 7.5, size: 3.2), .tuft(x: 15, y: 17.5, size: 3.2), .dot(x: 15, y: 6, size: 1),
        .dot(x: 5, y: 16, size: 1),
    ]
    /// Fill with rubble: bricks, stones and dust.
    static let fill: [SoilMark] = [
        .stone([(2, 3), (8, 2), (8.6, 5.2), (2.6, 6.4)]), .stone([(13, 2), (17.5, 6), (12, 7.4)]),
        .pebble(x: 6, y: 14, rx: 3, ry: 2.1, turn: 0.5),
        .stone([(12.5, 12), (18, 11), (18.6, 16.5), (14, 17.2)]), .dot(x: 10.4, y: 9.6, size: 1.1),
        .dot(x: 2.4, y: 9.4, size: 1.1),
        .dot(x: 10.6, y: 18, size: 1.1), .stroke(x: 2, y: 19, toX: 4.5, toY: 18),
    ]
    /// Rock of any kind: crosses, the usual sign of massive rocks, and joints without bedding.
    static let rock: [SoilMark] = cross(4.5, 4.5) + cross(14.5, 9) + cross(5.5, 15.5) + [
        .stroke(x: 10.5, y: 1.5, toX: 18, toY: 3.8), .stroke(x: 11, y: 18.5, toX: 17.5, toY: 14.5),
    ]

    private static func cross(_ x: Double, _ y: Double) -> [SoilMark] {
        [.heavy(x: x - 2.2, y: y, toX: x + 2.2, toY: y), .heavy(x: x, y: y - 2.2, toX: x, toY: y + 2.2)]
    }

    static let boulders: [SoilMark] = [
        .pebble(x: 10, y: 5.2, rx: 6.6, ry: 4.4, turn: 0.1), .pebble(x: 0, y: 15.2, rx: 6.2, ry: 4.2, turn: -0.1),
        .pebble(x: 20, y: 15.2, rx: 6.2, ry: 4.2, turn: -0.1), .pebble(x: 10, y: 15.8, rx: 2.6, ry: 2.1, turn: 0.2),
        .dot(x: 1.4, y: 5, size: 1.3), .dot(x: 18.8, y: 4.4, size: 1.3),
    ]
    /// Crushed stone with sharp edges.
    static let quarry: [SoilMark] = [
        .stone([(2, 7), (5.5, 1.5), (8.5, 6.5)]), .stone([(11.5, 2.5), (17.5, 2), (15.5, 7)]),
        .stone([(7, 11), (12.5, 10.5), (10, 16)]),
        .stone([(1.5, 13), (4.8, 17.8), (0.8, 18.4)]), .stone([(14.5, 17.5), (17, 12), (19.2, 17)]),
        .dot(x: 10, y: 8.4, size: 0.9), .dot(x: 8.5, y: 18.6, size: 0.9),
    ]
}
