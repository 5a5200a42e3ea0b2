package import Blocks
package import Canvas

extension CalendarContent {
    package func drawing(_ setting: DrawingSetting) -> CalendarDrawing {
        CalendarDrawing(grids, style: setting.style, shade: shade)
    }

    package func legend(_ setting: DrawingSetting) -> CalendarLegend {
        CalendarLegend(measure ?? "", legend(setting.words), of: drawing(setting))
    }

    package func figure(_ setting: DrawingSetting) -> String {
        setting.figure("calendar", [title].compactMap { $0 } + grids.map { grid in
            let days = grid.days.joined().compactMap { $0 }.compactMap { day in
                day.cell.map { "\(day.number): \($0.text)" }
            }
            return "\(grid.name) " + days.joined(separator: ", ")
        })
    }
}

/// A calendar heat map: months or years whose days are graded cells. A day's number or sign is in
/// its cell. If the numbers of a calendar do not fit, each cell has as many dots as its grade, so
/// that grades never differ by colour alone.
package struct CalendarDrawing {
    typealias Day = CalendarContent.Day
    package typealias Grid = CalendarContent.Grid

    /// Grids side by side, which must not be broken by the end of a page.
    package struct Band {
        let grids: [Grid]
        /// The height in points.
        package let height: Double
    }

    let grids: [Grid]
    let style: DrawingStyle
    /// The darkness of a grade, from 0 to 1.
    private let shade: (Int) -> Double

    /// - Parameter grids: grids without headings of rows are months, whose days show their numbers.
    init(_ grids: [Grid], style: DrawingStyle = DrawingStyle(), shade: @escaping (Int) -> Double) {
        self.grids = grids
        self.style = style
        self.shade = shade
    }

    private static let gap = 14.0
    /// Limits of the width of a month's day cell, in points.
    private static let (least, most) = (20.0, 26.0)
    /// The smallest readable letters, in points.
    private static let leastSize = 6.0
    private static let (nameHeight, headHeight, sideWidth) = (13.0, 10.0, 22.0)

    private var isYear: Bool { grids.contains { !$0.sides.isEmpty } }

    /// The number of grids side by side, and the size of a day.
    private func measures(_ width: Double) -> (across: Int, cell: Double, height: Double) {
        if isYear {
            let cell = (width - Self.sideWidth) / Double(max(1, grids.map(\.heads.count).max() ?? 1))
            return (1, cell, cell)
        }
        let across = max(1, min(4, Int((width + Self.gap) / (7 * Self.least + Self.gap))))
        let cell = min(Self.most, (width - Double(across - 1) * Self.gap) / Double(across) / 7)
        return (across, cell, cell * 0.82)
    }

    package func bands(width: Double) -> [Band] {
        let (across, _, height) = measures(width)
        return stride(from: 0, to: grids.count, by: across).map { start in
            let grids = Array(grids[start..<min(start + across, grids.count)])
            let rows = grids.map(\.days.count).max() ?? 0
            return Band(grids: grids, height: Self.nameHeight + Self.headHeight + Double(rows) * height + 8)
        }
    }

    package func draw(_ band: Band, on canvas: Canvas, in box: Box) {
        let (_, cell, height) = measures(box.width)
        let text = text(width: box.width, canvas.typesetter)
        for (index, grid) in band.grids.enumerated() {
            let x = box.x + Double(index) * (7 * cell + Self.gap)
            canvas.draw(
                grid.name, style.text(1, .bold), at: Point(x: x, y: box.y), anchor: (0, 0),
                width: isYear ? box.width : 7 * cell)
            let side = isYear ? Self.sideWidth : 0
            let top = box.y + Self.nameHeight + Self.headHeight
            for (column, head) in grid.heads.enumerated() where !head.isEmpty {
                let layout = canvas.layout(head, style.text(0.8, colour: style.line))
                let left = x + side + Double(column) * cell
                canvas.draw(
                    layout,
                    at: Point(x: isYear ? left + 1 : left + (cell - layout.width) / 2, y: top - layout.height - 1))
            }
            for (row, head) in grid.sides.enumerated() {
                let layout = canvas.layout(head, style.text(min(0.8, cell / 9), colour: style.line))
                canvas.draw(layout, at: Point(x: x, y: top + (Double(row) + 0.5) * height - layout.height / 2))
            }
            for (row, days) in grid.days.enumerated() {
                for (column, day) in days.enumerated() {
                    guard let day else { continue }
                    let place = Box(
                        x: x + side + Double(column) * cell, y: top + Double(row) * height, width: cell, height: height)
                    draw(day, text, on: canvas, in: place)
                }
            }
            if isYear { drawBorders(of: grid, on: canvas, at: Point(x: x + side, y: top), cell: cell) }
        }
    }

    /// The style of the numbers and signs; nil if one of them does not fit.
    func text(width: Double, _ typesetter: Typesetter) -> TextStyle? {
        let (_, cell, height) = measures(width)
        let texts = Set(grids.flatMap { grid in grid.days.flatMap { row in row.compactMap { $0?.cell?.text } } })
        let full = min(1, height * (isYear ? 0.62 : 0.5) / style.textSize)
        let widest = texts.map { TextLayout($0, style.text(full), typesetter: typesetter).width }.max() ?? 0
        let factor = full * min(1, (cell - 2.6) / max(widest, 1))
        return factor * style.textSize >= 3.6 ? style.text(factor) : nil
    }

    private func draw(_ day: Day, _ text: TextStyle?, on canvas: Canvas, in box: Box) {
        let grade = day.cell?.grade
        drawGround(grade, on: canvas, in: box)
        let ink = grade.map(self.ink(on:)) ?? style.ink
        if !isYear {
            var small = style.text(0.6, colour: grade == nil ? style.line : ink)
            small.size = min(max(small.size, Self.leastSize), box.height * 0.37)
            canvas.draw(String(day.number), small, at: Point(x: box.x + 1.6, y: box.y + 1), anchor: (0, 0))
        }
        // A sign on a day without a grade may fit where numbers do not.
        guard var text = text ?? (grade == nil ? style.text(min(1, box.width / 12)) : nil) else {
            return drawDots(grade ?? 0, ink, on: canvas, in: box)
        }
        text.colour = ink
        let layout = canvas.layout(day.cell?.text ?? "", text, width: box.width + 1, maximumLines: 1)
        let middle = box.middle.y + (isYear ? 0 : box.height * 0.13)
        canvas.draw(layout, at: Point(x: box.middle.x - layout.width / 2, y: middle - layout.height / 2))
    }

    /// Draws a sample of the days of a grade, or with a sign.
    func drawSample(_ sign: String?, grade: Int?, hasDots: Bool, on canvas: Canvas, in box: Box) {
        drawGround(grade, on: canvas, in: box)
        let layout = canvas.layout(sign ?? "", style.text(0.85))
        canvas.draw(layout, at: Point(x: box.middle.x - layout.width / 2, y: box.middle.y - layout.height / 2))
        if hasDots { drawDots(grade ?? 0, grade.map(ink(on:)) ?? style.ink, on: canvas, in: box) }
    }

    private func drawGround(_ grade: Int?, on canvas: Canvas, in box: Box) {
        canvas.rectangle(box)
        canvas.fill(grade.map(ground) ?? .white, keepsPath: true)
        canvas.stroke(style.faint, width: 0.5)
    }

    private func ground(_ grade: Int) -> Colour {
        let dark = style.accent.luminance > 0.4 ? style.accent.mixed(with: .black, 0.5) : style.accent
        return Colour.white.mixed(with: dark, shade(grade))
    }

    /// The colour of texts and dots on a grade's ground.
    private func ink(on grade: Int) -> Colour { ground(grade).luminance < 0.5 ? .white : style.ink }

    private func drawDots(_ count: Int, _ ink: Colour, on canvas: Canvas, in box: Box) {
        let step = box.width / 4
        for dot in 0..<min(count, 9) {
            let place = Point(
                x: box.x + Double(dot % 3 + 1) * step, y: box.bottom - Double(dot / 3 + 1) * min(step, box.height / 4))
            canvas.circle(place, radius: step * 0.28)
            canvas.fill(ink)
        }
    }

    /// Draws the lines between the months of a year: left of each of the first seven days, and
    /// above the first day.
    private func drawBorders(of grid: Grid, on canvas: Canvas, at corner: Point, cell: Double) {
        for (row, days) in grid.days.enumerated() {
            for (column, day) in days.enumerated() {
                guard let day, day.number <= 7 else { continue }
                let place = Point(x: corner.x + Double(column) * cell, y: corner.y + Double(row) * cell)
                canvas.segment(place, Point(x: place.x, y: place.y + cell))
                if day.number == 1, row > 0 { canvas.segment(place, Point(x: place.x + cell, y: place.y)) }
            }
        }
        canvas.stroke(style.ink, width: 1.1)
    }
}
