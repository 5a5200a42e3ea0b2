import Digests
import Drawing
import Foundation
import Testing

@testable import FindingDocuments
@testable import Model

@Suite struct FindingPageTests {
    @Test func nothingFromDataBecomesMarkup() throws {
        let page = try FindingScene.everything().page()
        #expect(page.contains("&lt;/script&gt;&lt;img src=x onerror=alert(1)&gt;&quot;&#39;&amp;"))
        #expect(!page.contains("<img") && !page.contains("<b>&lt;b") && page.contains("&lt;DEV&gt;") && page.contains("Ana &amp; Co"))
        // The page has one script and one style, which are both ours.
        #expect(page.components(separatedBy: "</script>").count == 2 && page.components(separatedBy: "<style>").count == 2)
        #expect(!page.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" || [0x2028, 0x202E, 0x7F].contains($0.value) })
    }

    @Test func itLoadsNothingAndRunsOnlyItsOwnScript() throws {
        let page = try FindingScene.everything().page()
        for forbidden in ["http:", "https:", "src=\"", "@import", " style=\"", "onclick", "<link", "<iframe"] {
            #expect(!page.contains(forbidden), "\(forbidden)")
        }
        let policy = try #require(page.firstMatch(of: #/Content-Security-Policy" content="([^"]+)"/#)).output.1
        #expect(policy.hasPrefix("default-src 'none';") && !policy.contains("unsafe"))
        for (tag, directive) in [("style", "style-src"), ("script", "script-src")] {
            let content = try #require(page.components(separatedBy: "<\(tag)>").last?.components(separatedBy: "</\(tag)>").first)
            let sum = Data(SHA256.digest(of: content).bytes).base64EncodedString()
            #expect(policy.contains("\(directive) 'sha256-\(sum)'"))
        }
    }

    @Test func aFindingSaysWhereWhatAndHow() throws {
        let scene = try FindingScene.everything()
        let page = try scene.page()
        for finding in scene.reported.map(\.finding) { #expect(page.contains(finding.fingerprint)) }
        #expect(page.contains("<p class=\"key\">P-1 / C-01</p>") && page.contains("data-project=\"P-1\""))
        #expect(page.contains("/data/ñ 1.json · S · B2 · 3:4 · /rows/3"))
        #expect(page.contains("by jefe@example.pe until 2026-01-31: Known &lt;since&gt; May"))
        #expect(page.contains("Check the value and its unit"))
        #expect(page.components(separatedBy: "<tr data-finding").count == 4)
        #expect(try scene.page() == page)
    }

    @Test func limitsAreSaidWithTheTrueCounts() throws {
        let scene = try FindingScene()
        scene.reported = (0..<7).map { number in
            PlacedFinding(Finding(code: "FIELD-REQUIRED", severity: .error, place: Place(table: "calicatas", id: "c\(number)", field: "code")), project: "P-1")
        }
        let page = try scene.page(limits: .init(findings: 3, pictures: 0))
        #expect(page.components(separatedBy: "<tr data-finding").count == 4)
        #expect(page.contains("× 7") && page.contains("The first 3 of 7;"))
        #expect(try !scene.page().contains("The first"))
    }

    @Test(arguments: Language.allCases) func itSpeaksEveryLanguage(language: Language) throws {
        let page = try FindingScene.everything().page(language)
        #expect(page.contains("<html lang=\"\(language.rawValue)\">"))
        #expect(page.contains("<h1>" + (language == .spanish ? "Hallazgos" : language == .english ? "Findings" : "Rilievi")))
        #expect(!page.contains("report.") && !page.contains("cover."))
        let empty = try FindingScene().page(language)
        #expect(!empty.contains("<script>") && !empty.contains("<form") && !empty.contains("report."))
    }

    @Test func fragmentsAreEncoded() {
        #expect("CHU 2025/ñ&=#".percentEncoded() == "CHU%202025%2F%C3%B1%26%3D%23")
        #expect(PageText.number(1.04) == "1" && PageText.number(-0.25) == "-0.3" && PageText.number(.nan) == "0")
    }
}

@Suite struct StripPictureTests {
    private func strip(_ layers: [(Double?, Double?)], total: Double? = nil, water: Double? = nil, mark: StrataStrip.Mark = .nothing) -> StrataStrip {
        StrataStrip(
            title: "C-1", unit: "m", layers: layers.enumerated().map { .init(id: "\($0.offset)", from: $0.element.0, to: $0.element.1, label: "SM") },
            total: total, water: water, mark: mark)
    }

    @Test func strataAreDrawnToScale() throws {
        let svg = try #require(StripPicture(strip([(0, 0.5), (0.5, 2)], mark: .layer(1)))).svg(label: "C-1")
        // 100 points for 2 m, 8 above.
        #expect(svg.contains(##"y="8" width="72" height="25" fill="url(#soil-11)""##) && svg.contains(##"y="33" width="72" height="75" fill="url(#soil-11)""##))
        #expect(svg.contains(##"y="33" width="72" height="75" fill="none" stroke="#9b1c1c""##))
        #expect(svg.contains(">0.50<") && svg.contains(">2.00<"))
    }

    @Test("Soils have the patterns of the drawings, and what is no soil has the one with question marks")
    func soilsHaveTheirPatterns() throws {
        let svg = try PagePatterns.svg()
        for symbol in SoilSymbol.vocabulary + SoilSymbol.others + ["gm-gc", "CL/ML", "??", "", "\" onload=x"] {
            #expect(svg.contains("<pattern id=\"\(PagePatterns.soil(symbol))\""))
        }
        #expect(PagePatterns.soil("GM-GC") == PagePatterns.soil("gc-gm") && PagePatterns.soil("CL/ML") == PagePatterns.soil("CL"))
        #expect(PagePatterns.soil("??") == "soil-unknown" && PagePatterns.soil("SM") == "soil-11")
        #expect(try PagePatterns.svg() == svg)
    }

    @Test func gapsAndUpsideDownStrataStayAsTheyAre() throws {
        let gap = try #require(StripPicture(strip([(0, 0.5), (1, 2)]))).svg(label: "")
        #expect(gap.contains(">?</text>"))
        let inverted = try #require(StripPicture(strip([(0, 1), (2, 1)], mark: .bottom(1)))).svg(label: "")
        #expect(!inverted.contains(">?</text>") && inverted.contains("stroke-width=\"4\""))
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity, -5, 1e300, 0])
    func aHostileDepthAloneDrawsNothingAndBesideOthersNoBrokenNumber(depth: Double) throws {
        #expect(StripPicture(strip([(depth, depth)])) == nil)
        for mark in [StrataStrip.Mark.layer(9), .top(0), .bottom(0), .total, .water, .layer(-1)] {
            let picture = try #require(StripPicture(strip([(depth, 1), (nil, depth), (0, nil)], total: depth, water: depth, mark: mark)))
            let svg = picture.svg(label: "<\"")
            #expect(!svg.contains("nan") && !svg.contains("inf") && svg.contains("&lt;&quot;"))
        }
        #expect(StripPicture(strip([], total: nil)) == nil)
    }
}
