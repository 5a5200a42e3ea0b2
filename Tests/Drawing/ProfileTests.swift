import Model
import Testing
import Workbench

@testable import Blocks
@testable import Canvas
@testable import Drawing

@Suite struct ProfileTests {
    private static let words = [
        "elevation": "Cota (m s. n. m.)", "depth": "Prof. (m)", "chainage": "Progresiva", "distance": "Progresiva", "horizontal": "H", "vertical": "V",
        "exaggeration": "exageración", "columns_scale": "columnas", "ground": "terreno", "contact": "contacto supuesto", "water_line": "napa",
        "absent": "no incluida", "no_elevation": "Sin cota:", "match_line": "Línea de empalme · hoja", "axis_break": "sin calicatas",
    ]

    static func pit(_ number: Int, _ chainage: Double, _ elevation: Double?, depth: Double = 2.5) -> ProfileDrawing.Pit {
        let top = 0.2 + 0.1 * Double(number % 3)
        let strata: [Stratum] = [
            .init(top: 0, bottom: top, symbol: "SUELO ORGÁNICO"), .init(top: top, bottom: depth * 0.4, symbol: number % 3 == 0 ? "GP-GM" : "SM"),
            .init(top: depth * 0.4, bottom: depth * 0.7, symbol: number % 2 == 0 ? "CL" : "ML"), .init(top: depth * 0.7, bottom: depth, symbol: "SC"),
        ]
        return .init(label: "C-\(number)", chainage: chainage, elevation: elevation, depth: depth, water: number > 5 ? depth * 0.8 : nil, strata: strata, band: [DrawingStyle().chainage(chainage), strata.map(\.symbol).joined(separator: "\n")])
    }

    static func profile(_ pits: [ProfileDrawing.Pit]) -> ProfileDrawing {
        var content = ProfileContent(pits: pits, unplaced: [], joinsContacts: false, millimetres: nil)
        content.bandTitles = ["Progresiva", "SUCS"]
        return ProfileDrawing(content: content, setting: DrawingSetting(ReportWords { words[String($0.dropFirst("word.report.".count))] ?? "" }))
    }

    static func expectClean(_ profile: ProfileDrawing, width: Double = 740, height: Double = 430, location: SourceLocation = #_sourceLocation) throws -> [ProfileDrawing.Page] {
        let pages = profile.pages(width: width, height: height, typesetter: try Typesetter())
        var texts: [String] = []
        for page in pages {
            let recorder = TextRecorder()
            let box = Box(x: 10, y: 10, width: width, height: height)
            _ = try Picture.png(width: width + 20, height: height + 20, scale: 0.2, recorder: recorder) { page.draw(on: $0, in: box) }
            let outside = recorder.outside(box, tolerance: 0.6), collisions = recorder.collisions(tolerance: 0.3)
            #expect(outside.isEmpty && collisions.isEmpty, "\(outside.map(\.text)) \(collisions.map { ($0.0.text, $0.1.text) })", sourceLocation: location)
            #expect(recorder.entries.allSatisfy { $0.size >= 6 }, sourceLocation: location)
            texts += recorder.entries.map(\.text)
        }
        for pit in profile.pits { #expect(texts.contains(pit.label), "\(pit.label.prefix(30)) is nowhere", sourceLocation: location) }
        return pages
    }

    private static func pages(_ profile: ProfileDrawing, width: Double = 740, height: Double = 430) throws -> [ProfileDrawing.Page] {
        profile.pages(width: width, height: height, typesetter: try Typesetter())
    }

    private static func texts(_ page: ProfileDrawing.Page) throws -> [String] { try problems(width: 760, height: 450) { page.draw(on: $0, in: $1) }.texts }

    /// A profile on one sheet has every pit. Where it is made smaller for that, only its bar states a
    /// scale.
    @Test(arguments: [(6, true), (60, false), (400, false)]) func aWholeStatesNoScaleThatItHasNot(_ count: Int, _ states: Bool) throws {
        let profile = Self.profile((1...count).map { Self.pit($0, Double($0) * 250, 100 + Double($0 % 7)) })
        let recorder = TextRecorder()
        _ = try Picture.png(width: 740, height: 430, scale: 0.2, recorder: recorder) { profile.drawWhole(on: $0, in: $0.box) }
        let texts = Set(recorder.entries.map(\.text))
        #expect(profile.pits.allSatisfy { texts.contains($0.label) })
        #expect(texts.contains { $0.contains(" 1:") } == states)
    }

    @Test(arguments: 0..<40) func codesAndFiguresStayApart(seed: Int) throws {
        var numbers = SeededNumbers(seed)
        let count = Int.random(in: 1...60, using: &numbers)
        let length = [0, 100, 5_000, 80_000].randomElement(using: &numbers)!
        let climb = [0.0, 3, 400].randomElement(using: &numbers)!
        let pits = (0..<count).map { index in
            var pit = Self.pit(
                index, Double.random(in: 0...Double(length), using: &numbers), index % 7 == 3 ? nil : 2_000 + Double.random(in: 0...max(0.01, climb), using: &numbers),
                depth: Double.random(in: 0.3...8, using: &numbers))
            if index == 5 { pit.label = String(Words.longName) }
            if index % 11 == 4 { pit.absence = "En conflicto" }
            if index == 6 { pit.water = 0 }
            if index == 8 { pit.strata = (0..<40).map { .init(top: Double($0) * 0.05, bottom: Double($0 + 1) * 0.05, symbol: "SM") } }
            if index == 9 { (pit.strata, pit.depth) = ([], 30) }
            return pit
        }
        var profile = Self.profile(pits)
        profile.content.joinsContacts = seed % 2 == 0
        profile.content.axis = seed % 3 == 0 ? .section : .road
        let pages = try Self.expectClean(profile)
        #expect(pages.flatMap(\.pits).count == count)
        // One scale for all sheets, each a round one.
        #expect(Set(pages.map(\.horizontalRatio)).count == 1 && Set(pages.map(\.verticalRatio)).count == 1 && Set(pages.map(\.depthRatio)).count == 1)
        for page in pages {
            #expect(RoundSteps.horizontalRatios.contains(page.horizontalRatio) && RoundSteps.verticalRatios.contains(page.verticalRatio))
        }
    }

    @Test func scalesAreTakenAsGiven() throws {
        var profile = Self.profile((0..<10).map { Self.pit($0, Double($0) * 100, 100) })
        profile.content.horizontal = 1000
        profile.content.vertical = 100
        let pages = try Self.expectClean(profile)
        #expect(pages.count > 1 && pages.allSatisfy { $0.horizontalRatio == 1000 && $0.exaggeration == 10 })
    }

    @Test func aScaleThatHoldsNoPitIsNotKept() throws {
        var profile = Self.profile([Self.pit(1, 0, 100, depth: 30)])
        profile.content.vertical = 10
        #expect(try Self.expectClean(profile)[0].verticalRatio > 10)
        #expect(try Self.pages(Self.profile([Self.pit(1, .nan, 100), Self.pit(2, 0, .infinity)])).isEmpty)
        #expect(try Self.pages(Self.profile([])).isEmpty)
    }

    /// The upper panel shows nothing but true elevations: what is drawn at a place has the elevation
    /// that the axis says.
    @Test func waterAndSoilsHaveTheElevationsOfTheAxis() throws {
        let pits = (0..<8).map { Self.pit($0, Double($0) * 250, 3000 + Double($0) * 11, depth: 2.5) }
        let page = try Self.pages(Self.profile(pits))[0]
        let frame = page.frame(in: Box(x: 0, y: 0, width: 740, height: 430))
        #expect(page.depthRatio < page.verticalRatio, "the columns below have a scale of their own")
        let top = page.y(3077, frame), bottom = page.y(3000 - 2.5, frame)
        #expect(top >= 0 && bottom <= frame.upper.bottom && abs((bottom - top) / (77 + 2.5) - DrawingStyle.points(perMetreAt: page.verticalRatio)) < 1e-9)
        #expect(try Self.texts(page).contains { $0.contains("columnas 1:") })
    }

    /// Between two pits, the ground and the contacts go straight from the true place of one to that
    /// of the other. A contact cannot rise above the ground then, however near the pits are.
    @Test func columnsStandAtTheirTruePlacesOnTheGround() throws {
        let pits = [0, 5, 6, 1000].enumerated().map { Self.pit($0.offset, $0.element, 100 + $0.element / 100) }
        let page = try Self.pages(Self.profile(pits))[0]
        let frame = page.frame(in: Box(x: 0, y: 0, width: 740, height: 430))
        for (pit, target) in zip(page.pits, frame.targets) { #expect(abs(target - frame.targets[0] - pit.chainage * page.axis.along) < 1e-9) }
        // Below, each has room of its own.
        for (one, next) in zip(frame.centres, frame.centres.dropFirst()) { #expect(next - one >= page.layout.pitch - 1e-6) }
    }

    @Test func theAxisGoesFromTheFirstPitToTheLast() throws {
        let texts = try Self.texts(Self.pages(Self.profile((0..<6).map { Self.pit($0, 12_000 + Double($0) * 500, 100) }))[0])
        let axis = texts.filter { $0.contains("+") && $0.hasPrefix("1") }
        #expect(axis.contains("12+000") && axis.allSatisfy { $0 >= "12+000" && $0 <= "14+500" })
    }

    @Test func aPitThatIsLeftOutLeavesAGap() throws {
        var absent = Self.pit(2, 100, 100.5)
        (absent.absence, absent.strata) = ("En conflicto", [])
        let page = try Self.expectClean(Self.profile([Self.pit(1, 0, 100), absent, Self.pit(3, 200, 101)]))[0]
        let texts = try Self.texts(page)
        #expect(texts.contains("C-2") && texts.contains("En conflicto") && texts.contains("no incluida"))
    }

    /// The scale is that of the others, and nothing is drawn outside the sheet.
    @Test func whatHasNoPlaceAtTheScaleLeavesAGap() throws {
        let pits = (0..<12).map { Self.pit($0, Double($0) * 500, 95 + Double($0) * 3) }
        let plain = try Self.pages(Self.profile(pits))[0]
        var wrong = Self.profile(pits)
        (wrong.content.pits[3].elevation, wrong.content.pits[6].elevation, wrong.content.pits[9].depth) = (99_999, -400, 300)
        #expect(wrong.elevationsOffScale == [3, 6] && wrong.depthsOffScale == [9])
        (wrong.content.pits[3].elevationFault, wrong.content.pits[6].elevationFault, wrong.content.pits[9].depthFault) = ("cota 99999.00 m fuera de la escala", "cota −400.00 m fuera de la escala", "profundidad 300.00 m fuera de la escala")
        let pages = try Self.expectClean(wrong)
        #expect(pages[0].verticalRatio == plain.verticalRatio && pages[0].depthRatio == plain.depthRatio)
        let texts = try pages.flatMap(Self.texts)
        #expect(texts.contains("C-3 · cota 99999.00 m fuera de la escala") && texts.contains("C-6 · cota −400.00 m fuera de la escala") && texts.contains("profundidad 300.00 m fuera de la escala"))
        #expect(!texts.contains { $0.hasPrefix("Sin cota") } && !texts.contains("no incluida"))
    }

    /// A hill to which a road can climb, a boring among pits, and two pits of which nobody knows which is
    /// wrong have their places.
    @Test func whatMayBeTrueIsDrawn() throws {
        var hill = (0..<8).map { Self.pit($0, Double($0) * 500, 95 + Double($0)) }
        hill.append(Self.pit(8, 6_500, 600))
        (hill[2].depth, hill[2].strata) = (30, [])
        let pair = [Self.pit(1, 0, 100), Self.pit(2, 100, 99_999, depth: 300)]
        for pits in [hill, pair] {
            let profile = Self.profile(pits)
            #expect(profile.elevationsOffScale.isEmpty && profile.depthsOffScale.isEmpty)
            let page = try Self.expectClean(profile)[0], frame = page.frame(in: Box(x: 0, y: 0, width: 740, height: 430))
            for pit in pits { #expect(page.y(pit.elevation ?? 0, frame) >= 0 && page.y((pit.elevation ?? 0) - pit.bottom, frame) <= frame.upper.bottom) }
        }
    }

    /// Water and strata that are recorded far below the pit's end leave the panels' frames no more.
    @Test func nothingIsDrawnOutsideTheFrame() throws {
        func picture(_ pit: ProfileDrawing.Pit) throws -> [UInt8] {
            let page = try Self.pages(Self.profile([Self.pit(1, 0, 100), pit, Self.pit(3, 200, 101)]))[0]
            // What is drawn below the panels alone: the band and the notes.
            return try Picture.png(width: 740, height: 430, scale: 1) { canvas in
                let frame = page.frame(in: canvas.box)
                page.draw(on: canvas, in: canvas.box)
                for panel in [frame.upper, frame.lower] {
                    canvas.rectangle(panel)
                    canvas.fill(.white)
                }
            }
        }
        var dry = Self.pit(2, 100, 100.5)
        dry.band = []
        var flooded = dry
        flooded.water = 5
        #expect(try picture(dry) == picture(flooded))
    }

    /// A match line is at one chainage on both sheets, at its true place between the pits, and the ground goes to it.
    @Test func sheetsAreJoinedByMatchLines() throws {
        for spacing in [250.0, 1] {
            let pages = try Self.expectClean(Self.profile((0..<40).map { Self.pit($0, Double($0) * spacing, 100 + Double($0 % 5)) }))
            #expect(pages.count > 1)
            for (page, next) in zip(pages, pages.dropFirst()) {
                let match = page.chainages.upperBound
                #expect(match == next.chainages.lowerBound && page.pits.last!.chainage < match && match < next.pits[0].chainage)
                let place = page.profile.place(match)
                #expect(try Self.texts(page).contains("Línea de empalme · hoja \(next.number) · \(place)"))
                #expect(try Self.texts(next).contains("Línea de empalme · hoja \(page.number) · \(place)"))
                for page in [page, next] {
                    #expect(try Self.texts(page).contains(place), "the axis has it too")
                    let frame = page.frame(in: Box(x: 0, y: 0, width: 740, height: 430))
                    #expect(abs(page.x(match, frame) - frame.targets[0] - (match - page.pits[0].chainage) * page.axis.along) < 1e-9)
                }
            }
        }
    }

    /// Where the chainage jumps, the axis is broken, on a sheet or between two, and has the chainages of both sides.
    @Test func anAxisIsBrokenWhereNobodySawTheGround() throws {
        func pits(_ count: Int) -> [ProfileDrawing.Pit] {
            (0..<count).map { Self.pit($0, Double($0) * 250 + ($0 < count / 2 ? 500 : 23_140), 100) }
        }
        let page = try Self.expectClean(Self.profile(pits(10)))[0]
        #expect(page.horizontalRatio <= 20_000, "the gap takes no room")
        #expect(page.axis.isBroken(from: 1500, to: 24_390) && page.stretches == [500...1500, 24_390...25_390])
        let texts = try Self.texts(page)
        #expect(texts.contains("1+500") && texts.contains("24+390") && texts.contains("sin calicatas"))
        // Between two sheets, both say both.
        let both = "1+500 // 24+390"
        var long = Self.profile(pits(10))
        long.content.horizontal = 5_000
        let sheets = try Self.expectClean(long)
        #expect(sheets.count == 2)
        for sheet in sheets { #expect(try Self.texts(sheet).contains { $0.hasSuffix(both) }) }
        // Every sheet has chainages on its axis, even that of one pit.
        #expect(try Self.texts(Self.expectClean(Self.profile([Self.pit(1, 12_345, 100)]))[0]).count { $0 == "12+345" } == 2)
        // A usual gap between far pits is no jump.
        #expect(try Self.pages(Self.profile((0..<6).map { Self.pit($0, Double($0) * 5_000, 100) })).allSatisfy { $0.axis.stretches.count == 1 })
    }

    @Test func theBandSaysWhatEveryLineOfItSays() throws {
        let texts = try Self.texts(Self.pages(Self.profile([Self.pit(1, 0, 100), Self.pit(2, 250, 100)]))[0])
        #expect(texts.contains("0+250") && texts.contains("SUELO ORGÁNICO\nSM\nML\nSC"))
        for word in ["terreno", "napa", "SUCS"] { #expect(texts.contains(word)) }
    }

    @Test func pitsWithoutElevationAreNamed() throws {
        let pages = try Self.expectClean(Self.profile([Self.pit(1, 0, 100), Self.pit(2, 100, nil), Self.pit(3, 200, 101)]))
        #expect(try Self.texts(pages[0]).contains("Sin cota: C-2"))
        // Without any elevation there are columns alone.
        let bare = try Self.expectClean(Self.profile([Self.pit(1, 0, nil), Self.pit(2, 100, nil)]))
        #expect(bare[0].layout.upper == 0)
    }

    @Test func aSectionHasItsEnds() throws {
        var profile = Self.profile([Self.pit(1, 0, 100), Self.pit(2, 30, 101)])
        profile.content.axis = .section
        let texts = try Self.texts(Self.expectClean(profile)[0])
        #expect(texts.contains("A") && texts.contains("A′") && texts.contains("30"))
    }

    @Test func symbolsAreInTheVocabularysOrder() throws {
        let page = try Self.pages(Self.profile([Self.pit(0, 0, 1), Self.pit(1, 9, 1)]))[0]
        #expect(page.symbols == ["GP-GM", "SM", "SC", "CL", "ML", "SUELO ORGÁNICO"])
    }

    @Test func pagesAreAsApproved() throws {
        let chainages = [0.0, 240, 510, 520, 1000, 1260, 1505, 1750, 2010]
        let heights = [0, 0.6, 1.5, nil, 1.1, 0.2, -0.7, -0.4, 0.3]
        var pits = chainages.indices.map { Self.pit($0 + 1, 12_300 + chainages[$0], heights[$0].map { 3250 + $0 }) }
        pits[5].absence = "En conflicto"
        var profile = Self.profile(pits)
        profile.content.joinsContacts = true
        func expect(_ name: String, _ profile: ProfileDrawing) throws {
            try Golden.expect(name, width: 760, height: 450) { canvas in
                profile.pages(width: 740, height: 430, typesetter: canvas.typesetter)[0].draw(on: canvas, in: Box(x: 10, y: 10, width: 740, height: 430))
            }
        }
        try expect("profile", profile)
        // A jump of the chainage on the sheet, and a match line at its end.
        for place in 4...8 { profile.content.pits[place].chainage += 21_000 }
        for number in 10...24 { profile.content.pits.append(Self.pit(number, 35_310 + 250 * Double(number - 9), 3250 + Double(number % 4))) }
        try expect("profile-broken", profile)
    }
}
