import Model
import Testing
import Workbench

@testable import Canvas
@testable import Drawing

@Suite struct ProfileTests {
    static var words: ProfileDrawing.Words {
        var words = ProfileDrawing.Words()
        (words.elevation, words.chainage, words.exaggeration, words.columns) = ("Cota (m s. n. m.)", "Progresiva (km)", "exageración", "columnas")
        words.noElevation = "Sin cota: cuelgan de la línea de trazos"
        return words
    }

    static func pit(_ number: Int, _ chainage: Double, _ elevation: Double?, depth: Double = 2.5) -> ProfileDrawing.Pit {
        let top = 0.2 + 0.1 * Double(number % 3)
        let strata: [Stratum] = [
            .init(top: 0, bottom: top, symbol: "SUELO ORGÁNICO"), .init(top: top, bottom: depth * 0.4, symbol: number % 3 == 0 ? "GP-GM" : "SM"),
            .init(top: depth * 0.4, bottom: depth * 0.7, symbol: number % 2 == 0 ? "CL" : "ML"), .init(top: depth * 0.7, bottom: depth, symbol: "SC"),
        ]
        return .init(code: "C-\(number)", chainage: chainage, elevation: elevation, depth: depth, water: number > 5 ? depth * 0.8 : nil, strata: strata)
    }

    static func expectClean(_ profile: ProfileDrawing, width: Double = 740, height: Double = 400, location: SourceLocation = #_sourceLocation) throws -> [ProfileDrawing.Page] {
        let pages = profile.pages(width: width, height: height)
        var texts: [String] = []
        for page in pages {
            let found = try problems(width: width + 20, height: height + 20) { page.draw(on: $0, in: $1) }
            #expect(found.outside.isEmpty && found.collisions.isEmpty, "\(found.outside) \(found.collisions)", sourceLocation: location)
            texts += found.texts
        }
        for pit in profile.pits { #expect(texts.contains(pit.code), "\(pit.code.prefix(30)) is nowhere", sourceLocation: location) }
        return pages
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
            if index == 5 { pit.code = String(Words.longName) }
            return pit
        }
        var profile = ProfileDrawing(pits: pits, words: Self.words)
        profile.showsContacts = seed % 2 == 0
        let pages = try Self.expectClean(profile)
        #expect(pages.flatMap(\.pits).count == count)
        for page in pages {
            #expect(RoundSteps.horizontalRatios.contains(page.horizontalRatio) && RoundSteps.verticalRatios.contains(page.verticalRatio))
        }
    }

    @Test func scalesAreTakenAsGiven() throws {
        var profile = ProfileDrawing(pits: (0..<10).map { Self.pit($0, Double($0) * 100, 100) }, words: Self.words)
        profile.horizontalRatio = 1000
        profile.verticalRatio = 100
        let pages = try Self.expectClean(profile)
        #expect(pages.count > 1 && pages.allSatisfy { $0.horizontalRatio == 1000 && $0.exaggeration == 10 })
    }

    @Test func aScaleThatHoldsNoPitIsNotKept() throws {
        var profile = ProfileDrawing(pits: [Self.pit(1, 0, 100, depth: 30)], words: Self.words)
        profile.verticalRatio = 10
        #expect(try Self.expectClean(profile)[0].verticalRatio > 10)
        #expect(ProfileDrawing(pits: [Self.pit(1, .nan, 100), Self.pit(2, 0, .infinity)], words: Self.words).pages(width: 700, height: 400).isEmpty)
    }

    @Test func aClimbingRoadHasColumnsInTheirOwnScale() throws {
        let profile = ProfileDrawing(pits: (0..<30).map { Self.pit($0, Double($0) * 250, 3000 + Double($0) * 11, depth: 1.5) }, words: Self.words)
        let pages = try Self.expectClean(profile)
        #expect(pages.count <= 3 && pages[0].depthRatio < pages[0].verticalRatio)
        let found = try problems(width: 760, height: 420) { pages[0].draw(on: $0, in: $1) }
        #expect(found.texts.contains { $0.contains("columnas 1:") })
    }

    @Test func pitsWithoutElevationHangFromACommonLine() throws {
        let profile = ProfileDrawing(pits: [Self.pit(1, 0, 100), Self.pit(2, 100, nil), Self.pit(3, 200, 101)], words: Self.words)
        let pages = try Self.expectClean(profile)
        #expect(pages[0].hasCommonDatum)
        let found = try problems(width: 760, height: 420) { pages[0].draw(on: $0, in: $1) }
        #expect(found.texts.contains(Self.words.noElevation))
        #expect(ProfileDrawing(pits: [], words: Self.words).pages(width: 700, height: 400).isEmpty)
    }

    @Test func symbolsAreInTheVocabularysOrder() {
        let page = ProfileDrawing(pits: [Self.pit(0, 0, 1), Self.pit(1, 9, 1)], words: Self.words).pages(width: 700, height: 400)[0]
        #expect(page.symbols == ["GP-GM", "SM", "SC", "CL", "ML", "SUELO ORGÁNICO"])
    }

    @Test func pagesAreAsApproved() throws {
        let chainages = [0.0, 240, 510, 520, 1000, 1260, 1505, 1750, 2010]
        let heights = [0, 0.6, 1.5, nil, 1.1, 0.2, -0.7, -0.4, 0.3]
        var profile = ProfileDrawing(pits: chainages.indices.map { Self.pit($0 + 1, 12_300 + chainages[$0], heights[$0].map { 3250 + $0 }) }, words: Self.words)
        profile.showsContacts = true
        try Golden.expect("profile", width: 760, height: 420) { profile.pages(width: 740, height: 400)[0].draw(on: $0, in: Box(x: 10, y: 10, width: 740, height: 400)) }
    }
}
