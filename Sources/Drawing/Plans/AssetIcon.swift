internal import Canvas

/// The icon of a kind of asset, by its name in the source system: `lightbulb`, `drop.fill`,
/// `fire-extinguisher`, `ac_unit`. A name without a drawing is shown by its first letters.
struct AssetIcon: Hashable {
    private enum Content: Hashable {
        case glyph(AssetGlyph)
        case letters(String)
    }

    private let content: Content

    /// Words that only mark a variant of an icon.
    private static let variants: Set<Substring> = [
        "fill", "filled", "outlined", "outline", "rounded", "round", "sharp", "circle", "slash", "off", "front", "open",
    ]

    init(_ name: String) {
        let all = name.lowercased().split { !$0.isLetter && !$0.isNumber }
        let words = all.filter { !Self.variants.contains($0) }
        let glyph = ([all.joined(), words.joined()] + words.map(String.init)).compactMap { AssetGlyph(named: $0) }.first
        if let glyph {
            content = .glyph(glyph)
        } else {
            let initials =
                words.count > 1
                ? words.prefix(2).compactMap(\.first).map(String.init).joined() : String((words.first ?? "?").prefix(2))
            content = .letters(initials.prefix(1).uppercased() + initials.dropFirst())
        }
    }

    /// The letters shown for a name without a drawing; nil: it has a drawing.
    var letters: String? { if case .letters(let letters) = content { letters } else { nil } }

    /// - Parameter size: the distance from the middle to the edges of the icon's square.
    func draw(on canvas: Canvas, at middle: Point, size: Double, _ style: DrawingStyle) {
        switch content {
        case .letters(let letters): canvas.draw(letters, style.text(0.8, .bold), at: middle, anchor: (0.5, 0.5))
        case .glyph(let glyph):
            for stroke in glyph.strokes { stroke.draw(on: canvas, at: middle, size: size, style.ink) }
        }
    }
}

/// A part of a glyph, in a square from -1 to 1, y downwards.
enum GlyphStroke {
    case line([(Double, Double)])
    /// A closed line, and a filled area.
    case closed([(Double, Double)])
    case solid([(Double, Double)])
    case ring(Double, Double, radius: Double)
    case dot(Double, Double, radius: Double)
    /// Angles in degrees, clockwise from the right.
    case arc(Double, Double, radius: Double, from: Double, to: Double)

    fileprivate func draw(on canvas: Canvas, at middle: Point, size: Double, _ ink: Colour) {
        func place(_ x: Double, _ y: Double) -> Point { Point(x: middle.x + x * size, y: middle.y + y * size) }
        canvas.newPath()
        switch self {
        case .line(let points): canvas.polyline(points.map(place))
        case .closed(let points), .solid(let points): canvas.polygon(points.map(place))
        case .ring(let x, let y, let radius), .dot(let x, let y, let radius):
            canvas.circle(place(x, y), radius: radius * size)
        case .arc(let x, let y, let radius, let start, let end):
            canvas.arc(centre: place(x, y), radius: radius * size, from: start * .pi / 180, to: end * .pi / 180)
        }
        switch self {
        case .solid, .dot: canvas.fill(ink)
        default: canvas.stroke(ink, width: max(0.5, size * 0.17), cap: .round)
        }
    }
}

/// The drawings of icons, and their names in source systems.
enum AssetGlyph: String, CaseIterable {
    case bulb, thermometer, radiator, waves, drop, flame, bolt, extinguisher, door, plug, socket, cooler, snow, fan,
        smoke, sensor, camera, bell, window
    case stairs, lift, screen, valve, pump, speaker, lock, sun, battery, switchboard

    init?(named word: String) {
        guard let glyph = AssetGlyph(rawValue: word) ?? Self.words[word] else { return nil }
        self = glyph
    }

    private static let words: [String: AssetGlyph] = {
        let words: [AssetGlyph: String] = [
            .bulb: "lightbulb light lamp lighting luminaire emojiobjects",
            .thermometer: "thermostat temperature devicethermostat",
            .radiator: "heater heating heat hvacheater", .waves: "wifi router accesspoint antenna network",
            .drop: "water waterdrop opacity plumbing sprinkler faucet",
            .flame: "fire gas localfiredepartment whatshot boiler burner",
            .bolt: "electric electricbolt electrical flashon power energy",
            .extinguisher: "fireextinguisher", .door: "meetingroom doorway gate",
            .plug: "powerplug electricalservices cable", .socket: "outlet powersocket poweroutlet",
            .cooler: "airconditioner conditioner ac split", .snow: "acunit snowflake cold freezer fridge",
            .fan: "modefan ventilation fanblades air hvac",
            .smoke: "smokedetector detectorsmoke cloud", .sensor: "sensors detector motion",
            .camera: "video videocam cctv photocamera", .bell: "alarm notifications siren",
            .window: "windows glass", .stairs: "stair staircase", .lift: "elevator",
            .screen: "monitor desktop desktopcomputer computer tv display",
            .valve: "valves tap", .pump: "pumps watercirculation", .speaker: "volume volumeup loudspeaker audio",
            .lock: "key security padlock",
            .sun: "solar solarpower sunny", .battery: "ups batteryfull",
            .switchboard: "panel electricpanel distribution",
        ]
        return Dictionary(words.flatMap { glyph, list in list.split(separator: " ").map { (String($0), glyph) } }) {
            first, _ in first
        }
    }()

    var strokes: [GlyphStroke] {
        switch self {
        case .bulb:
            [
                .ring(0, -0.3, radius: 0.58), .line([(-0.22, 0.25), (-0.22, 0.5), (0.22, 0.5), (0.22, 0.25)]),
                .line([(-0.2, 0.72), (0.2, 0.72)]), .line([(-0.08, 0.92), (0.08, 0.92)]),
            ]
        case .thermometer:
            [
                .line([(-0.2, 0.25), (-0.2, -0.8), (0, -0.95), (0.2, -0.8), (0.2, 0.25)]), .dot(0, 0.55, radius: 0.4),
                .line([(0, -0.35), (0, 0.5)]),
            ]
        case .radiator:
            [-0.75, -0.25, 0.25, 0.75].map { .line([($0, -0.75), ($0, 0.75)]) } + [
                .line([(-0.95, -0.45), (0.95, -0.45)]), .line([(-0.95, 0.45), (0.95, 0.45)]),
            ]
        case .waves:
            [0.5, 0.95, 1.4].map { .arc(0, 0.65, radius: $0, from: 225, to: 315) } + [.dot(0, 0.65, radius: 0.18)]
        case .drop: [.line([(-0.53, 0.05), (0, -0.95), (0.53, 0.05)]), .arc(0, 0.32, radius: 0.6, from: -28, to: 208)]
        case .flame:
            [
                .solid([
                    (0, -1), (0.4, -0.35), (0.62, 0.15), (0.5, 0.65), (0, 0.95), (-0.5, 0.65), (-0.62, 0.15),
                    (-0.4, -0.2), (-0.2, 0.05),
                ])
            ]
        case .bolt: [.solid([(0.2, -1), (-0.6, 0.15), (-0.05, 0.15), (-0.2, 1), (0.6, -0.25), (0.05, -0.25)])]
        case .extinguisher:
            [
                .solid([(-0.38, 0), (-0.2, -0.3), (0.2, -0.3), (0.38, 0), (0.38, 0.95), (-0.38, 0.95)]),
                .line([(0, -0.3), (0, -0.7), (0.5, -0.8)]), .line([(0, -0.6), (-0.65, -0.4), (-0.75, 0.4)]),
            ]
        case .door:
            [
                .closed([(-0.5, -0.95), (0.5, -0.95), (0.5, 0.9), (-0.5, 0.9)]), .dot(0.22, 0.05, radius: 0.14),
                .line([(-0.95, 0.9), (0.95, 0.9)]),
            ]
        case .plug:
            [
                .solid([(-0.55, -0.25), (0.55, -0.25), (0.55, 0.15), (0.25, 0.55), (-0.25, 0.55), (-0.55, 0.15)]),
                .line([(-0.28, -0.25), (-0.28, -0.9)]), .line([(0.28, -0.25), (0.28, -0.9)]),
                .line([(0, 0.55), (0, 0.95)]),
            ]
        case .socket: [.ring(0, 0, radius: 0.88), .dot(-0.34, 0, radius: 0.17), .dot(0.34, 0, radius: 0.17)]
        case .cooler:
            [
                .closed([(-0.95, -0.7), (0.95, -0.7), (0.95, 0), (-0.95, 0)]), .line([(-0.6, -0.25), (0.6, -0.25)]),
                .line([(-0.5, 0.35), (-0.65, 0.8)]), .line([(0, 0.35), (0, 0.85)]), .line([(0.5, 0.35), (0.65, 0.8)]),
            ]
        case .snow:
            [
                .line([(0, -0.95), (0, 0.95)]), .line([(-0.82, -0.48), (0.82, 0.48)]),
                .line([(-0.82, 0.48), (0.82, -0.48)]), .ring(0, 0, radius: 0.4),
            ]
        case .fan:
            [
                .ring(0, 0, radius: 0.9), .solid([(0, 0), (-0.2, -0.72), (0.4, -0.6)]),
                .solid([(0, 0), (0.72, 0.2), (0.4, 0.6)]), .solid([(0, 0), (-0.45, 0.6), (-0.72, 0.1)]),
            ]
        case .smoke:
            [-0.55, 0, 0.55].map {
                .line([($0, 0.9), ($0 - 0.22, 0.5), ($0 + 0.22, 0), ($0 - 0.22, -0.5), ($0, -0.9)])
            }
        case .sensor: [.ring(0, 0, radius: 0.9), .ring(0, 0, radius: 0.48), .dot(0, 0, radius: 0.18)]
        case .camera:
            [
                .closed([(-0.95, -0.45), (0.35, -0.45), (0.35, 0.55), (-0.95, 0.55)]),
                .solid([(0.45, 0.05), (0.98, -0.4), (0.98, 0.5)]),
            ]
        case .bell:
            [
                .solid([
                    (-0.75, 0.5), (-0.5, 0.2), (-0.5, -0.3), (-0.2, -0.75), (0.2, -0.75), (0.5, -0.3), (0.5, 0.2),
                    (0.75, 0.5),
                ]), .dot(0, 0.75, radius: 0.2),
            ]
        case .window:
            [
                .closed([(-0.8, -0.85), (0.8, -0.85), (0.8, 0.85), (-0.8, 0.85)]), .line([(0, -0.85), (0, 0.85)]),
                .line([(-0.8, 0), (0.8, 0)]),
            ]
        case .stairs:
            [
                .line([
                    (-0.95, 0.8), (-0.45, 0.8), (-0.45, 0.3), (0, 0.3), (0, -0.2), (0.45, -0.2), (0.45, -0.7),
                    (0.95, -0.7),
                ])
            ]
        case .lift:
            [
                .closed([(-0.85, -0.9), (0.85, -0.9), (0.85, 0.9), (-0.85, 0.9)]),
                .solid([(-0.45, -0.1), (0.45, -0.1), (0, -0.65)]), .solid([(-0.45, 0.15), (0.45, 0.15), (0, 0.7)]),
            ]
        case .screen:
            [
                .closed([(-0.95, -0.75), (0.95, -0.75), (0.95, 0.4), (-0.95, 0.4)]), .line([(0, 0.4), (0, 0.8)]),
                .line([(-0.45, 0.8), (0.45, 0.8)]),
            ]
        case .valve:
            [
                .solid([(-0.9, -0.1), (-0.9, 0.8), (0, 0.35)]), .solid([(0.9, -0.1), (0.9, 0.8), (0, 0.35)]),
                .line([(0, 0.35), (0, -0.6)]), .line([(-0.45, -0.6), (0.45, -0.6)]),
            ]
        case .pump: [.ring(0, 0, radius: 0.9), .solid([(-0.45, -0.7), (0.9, 0), (-0.45, 0.7)])]
        case .speaker:
            [
                .solid([(-0.9, -0.3), (-0.5, -0.3), (0, -0.8), (0, 0.8), (-0.5, 0.3), (-0.9, 0.3)]),
                .arc(0, 0, radius: 0.45, from: -45, to: 45), .arc(0, 0, radius: 0.85, from: -45, to: 45),
            ]
        case .lock:
            [
                .solid([(-0.65, -0.1), (0.65, -0.1), (0.65, 0.85), (-0.65, 0.85)]),
                .arc(0, -0.15, radius: 0.45, from: 180, to: 360),
            ]
        case .sun:
            [.ring(0, 0, radius: 0.42)]
                + [(0.0, -1.0), (0.71, -0.71), (1, 0), (0.71, 0.71), (0, 1), (-0.71, 0.71), (-1, 0), (-0.71, -0.71)].map
            { .line([($0.0 * 0.7, $0.1 * 0.7), ($0.0 * 0.95, $0.1 * 0.95)]) }
        case .battery:
            [
                .closed([(-0.95, -0.5), (0.75, -0.5), (0.75, 0.5), (-0.95, 0.5)]),
                .solid([(-0.7, -0.25), (0.1, -0.25), (0.1, 0.25), (-0.7, 0.25)]), .line([(0.95, -0.15), (0.95, 0.15)]),
            ]
        case .switchboard:
            [
                .closed([(-0.75, -0.95), (0.75, -0.95), (0.75, 0.95), (-0.75, 0.95)]),
                .line([(-0.75, -0.35), (0.75, -0.35)]),
                .solid([(0.1, -0.2), (-0.35, 0.35), (0, 0.35), (-0.1, 0.8), (0.35, 0.2), (0, 0.2)]),
            ]
        }
    }
}
