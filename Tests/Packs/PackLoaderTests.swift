import Foundation
import Testing
import Workbench

@testable import Model
@testable import Packs

@Suite struct PackLoaderTests {
    @Test func loadsACompletePack() throws {
        let pack = try SamplePack().load()
        #expect(pack.name == "pits")
        #expect(pack.version == "1.2.3")
        #expect(pack.languages == [.spanish, .english])
        #expect(pack.privacyClasses == ["public", "personal", "secret"])
        #expect(pack.role("JEFE")?.permissions == [.read, .validate, .export, .administer])
        #expect(pack.entities.filter(\.isCore).map(\.name) == ["profiles", "project_members"])
        #expect(pack.record("pit")?.parts == [.init(entity: "layers", by: FieldPath("pit_id"))])
        #expect(pack.numbering("pit_number")?.when == .binary(.notEqual, .field(FieldPath("code")), .text("")))

        let pits = try #require(pack.entity("pits"))
        #expect(pits.states?.exported == .init(from: "DONE", to: "SENT", roles: []))
        let code = try #require(pits.field("code"))
        #expect(code.uniqueness == .within("work_id") && code.minimumLength == 5 && code.pattern == "C-\\d{3}")
        let depth = try #require(pits.field("depth_m"))
        #expect(
            depth.minimum == 0.1 && depth.maximum == 30 && depth.decimals == 2 && depth.unit == "m" && depth.privacy == "public")
        #expect(depth.requiredWhen == .binary(.equal, .field(FieldPath("status")), .text("DONE")))
        #expect(pack.entity("layers")?.field("number")?.origin == .assumed)
        #expect(pack.entity("layers")?.field("soil")?.origin == .source)

        #expect(pack.rules.map(\.code) == ["LAYER-UPSIDE-DOWN", "LAYER-GAP", "PIT-LAYERS"])
        guard case .count("layers", FieldPath("pit_id"), .field(FieldPath("layer_min")), .number("20")) = pack.rules[2].check else {
            return #expect(Bool(false), "\(pack.rules[2])")
        }
        let export = try #require(pack.export("pits"))
        #expect(export.sheets[0].columns[0] == .field(FieldPath("code"), name: "code", label: nil, isLink: false))
        #expect(export.sheets[0].columns[3] == .count(of: "layers", by: FieldPath("pit_id"), name: "layer_count", label: nil))
        #expect(export.sheets[1].forEach == FieldPath("pit_id") && export.policy == .withholdRecords)
        let step = try #require(pack.job("monthly")?.steps.first)
        #expect(step.formats == [.xlsx] && step.markExported && step.selection.filter == "depth_m >= 1.5")
        #expect(pack.texts.text("job.monthly", in: .english) == "text of job.monthly")
        #expect(pack.texts.text("word.yes", in: .spanish) == "text of word.yes")
    }

    @Test func projectsInTheCoreMeansThePacksOwn() throws {
        let pack = try SamplePack().load()
        #expect(pack.entity("project_members")?.field("project_id")?.references == "works")
    }

    @Test func scalarsAreTheTextThatStandsThere() throws {
        let pack = try SamplePack().load()
        #expect(pack.vocabulary("codes")?.values == ["0045", "12:30", "NO"])
    }

    @Test func theSameFilesGiveTheSamePack() throws {
        try SamplePack().inFolder { folder in
            let first = try PackLoader.load("pits", from: folder)
            let second = try PackLoader.load("pits", from: folder)
            #expect(first.fingerprint == second.fingerprint && first.fingerprint.count == 64)
            #expect(first.entities == second.entities && first.texts == second.texts && first.exports == second.exports)
            #expect(PackDescription(first, language: .english).json() == PackDescription(second, language: .english).json())
        }
        #expect(try SamplePack().load().fingerprint == SamplePack().load().fingerprint)
    }

    @Test func everyByteCountsForTheFingerprint() throws {
        let before = try SamplePack().load().fingerprint
        #expect(try SamplePack().replacing("# A small", with: "# a small", in: "pits/pack.yaml").load().fingerprint != before)
        #expect(try SamplePack().replacing("text of word.yes", with: "yes", in: "core/texts/es.yaml").load().fingerprint != before)
        // A file that is not part of a pack does not change its fingerprint.
        #expect(try SamplePack().adding("pits/README.md", "About.").load().fingerprint == before)
    }

    @Test func namesArePacksOnly() throws {
        try SamplePack().adding("notes/readme.txt", "").adding("b/pack.yaml", "format: 1").inFolder { folder in
            #expect(PackLoader.names(in: folder) == ["b", "pits"])
            #expect(throws: PackFailure.self) { try PackLoader.loadAll(from: folder) }
        }
    }

    @Test(arguments: ["nowhere", "../pits", "core", "", "/etc"]) func aPackThatIsNoneIsRefused(_ name: String) throws {
        let mistakes = try SamplePack().mistakes(name)
        #expect(mistakes.count == 1)
        #expect([.missingFile, .badName].contains(mistakes.first?.code))
    }

    @Test func wordsOfTheProgramStandInEveryLanguage() throws {
        let word = try SamplePack().replacing("word.yes: text of word.yes\n", with: "", in: "core/texts/en.yaml").mistakes()
        #expect(word.map(\.code) == [.missingText] && word.first?.file == "core/texts/en.yaml")
        #expect(word.first?.arguments["key"] == "word.yes")
        let sample = SamplePack().replacing("error.ANY.remedy: text of error.ANY.remedy\n", with: "", in: "core/texts/en.yaml")
        #expect(try sample.mistakes().map { $0.arguments["key"] } == ["error.ANY.remedy"])
        // A pack may replace words of the program. A word that nobody reads is a mistake.
        let own = SamplePack().replacing("job.monthly:", with: "word.yes: y\njob.monthly:", in: "pits/texts/es.yaml")
        #expect(try own.load().texts.text("word.yes", in: .spanish) == "y")
        #expect(
            try own.replacing("word.yes: y", with: "word.yas: y", in: "pits/texts/es.yaml").mistakes().map(\.code) == [.unknownText]
        )
    }

    @Test func aMisspelledPackIsGuessed() throws {
        let mistake = try #require(try SamplePack().mistakes("pitts").first)
        #expect(mistake.message(Texts.shipped, .english) == "“pitts” is missing. Did you mean “pits”?")
    }

    @Test func aFailureIsAConfigurationError() throws {
        let sample = SamplePack().replacing("timeZone: America/Lima", with: "timeZone: America/Lime", in: "pits/pack.yaml")
        let failure = PackFailure(pack: "pits", mistakes: try sample.mistakes())
        #expect(failure.exitCode == .badConfiguration && failure.code == "PACK-INVALID")
        #expect(failure.arguments == ["pack": "pits", "count": "1"])
        #expect(failure.place == Place(file: "pits/pack.yaml", line: 7, column: 11))
        #expect(
            failure.lines(Texts.shipped, .english)[0].hasPrefix(
                "pits/pack.yaml:7:11: “timeZone” cannot be “America/Lime”."))
    }

    @Test func anOfficesJobIsCheckedAgainstThePack() throws {
        let pack = try SamplePack().load()
        func load(_ text: String) throws -> Job {
            let folder = try TemporaryFolder()
            return try PackLoader.loadJob(at: URL(fileURLWithPath: folder.write(text, to: "job.yaml")), for: pack)
        }
        let job = try load("job: nightly\nfailOn: never\nsteps:\n  - {export: pits, where: depth_m > 2, syncStates: [synced]}\n")
        #expect(job.name == "nightly" && job.failOn == .never && job.waitSeconds == 0)
        #expect(job.steps.first?.formats == [.xlsx, .csv] && job.steps.first?.selection.syncStates == [.synced])
        let failure = #expect(throws: PackFailure.self) {
            try load("job: nightly\nsteps:\n  - {export: pots}\n  - {export: pits, where: deep > 2}\n")
        }
        #expect(failure?.mistakes.map(\.code) == [.unknownName, .expressionField])
        #expect(failure?.mistakes.map(\.line) == [3, 4])
        let missing = #expect(throws: PackFailure.self) {
            try PackLoader.loadJob(at: URL(fileURLWithPath: "/nowhere/job.yaml"), for: pack)
        }
        #expect(missing?.mistakes.map(\.code) == [.missingFile])
        let folder = #expect(throws: PackFailure.self) { try PackLoader.loadJob(at: URL(fileURLWithPath: "/"), for: pack) }
        #expect(folder?.mistakes.map(\.code) == [.unknownFile])
    }

    @Test func allMistakesAreFoundAtOnceInOrder() throws {
        let mistakes = try SamplePack()
            .replacing("may: [read, validate], sees", with: "may: [reed, validate], sees", in: "pits/pack.yaml")
            .replacing("vocabulary: states", with: "vocabulary: statuses", in: "pits/entities/pits.yaml")
            .replacing("to_m > from_m", with: "to_m > form_m", in: "pits/rules/layers.yaml")
            .replacing("columns: [number, soil]", with: "columns: [number, soils]", in: "pits/exports/pits.yaml")
            .mistakes()
        #expect(mistakes.map(\.code) == [.unknownName, .badPath, .badValue, .expressionField])
        #expect(
            mistakes.map(\.file) == [
                "pits/entities/pits.yaml", "pits/exports/pits.yaml", "pits/pack.yaml", "pits/rules/layers.yaml",
            ])
        #expect(mistakes.map { $0.arguments["nearest"] } == ["states", "soil", "read", "from_m"])
    }

    /// Who moves a record on which terms, who changes which fields, and where nobody changes anything.
    @Test func whoMayChangeWhatIsRead() throws {
        var sample = SamplePack()
            .replacing(
                "    - {from: DRAFT, to: DONE, roles: [JEFE]}",
                with: """
                        - {from: DRAFT, to: DONE, roles: [CAMPO], own: made_by, require: PIT-DEEP}
                        - {from: DRAFT, to: DONE, roles: [JEFE], require: [PIT-DEEP]}
                    """, in: "pits/entities/pits.yaml")
            .replacing("  initial: DRAFT", with: "  initial: DRAFT\n  closed: [DONE, SENT]\n  frozen: [SENT]", in: "pits/entities/pits.yaml")
            .replacing("key: [code]", with: "key: [code]\nedits: {JEFE: all, CAMPO: [dug_on, depth_m]}", in: "pits/entities/pits.yaml")
            .replacing(
                "  - {name: dug_on, type: date}",
                with: "  - {name: dug_on, type: date}\n  - {name: made_by, type: uuid, references: profiles}", in: "pits/entities/pits.yaml")
            .replacing(
                "rules:\n",
                with: """
                    rules:
                      - {code: PIT-DEEP, entity: pits, severity: warning, check: row, require: depth_m is not null}

                    """, in: "pits/rules/layers.yaml")
        let texts = ["field.pits.made_by", "rule.PIT-DEEP", "rule.PIT-DEEP.message", "rule.PIT-DEEP.remedy"]
        for language in ["es", "en"] {
            sample = sample.replacing(
                "job.monthly:", with: texts.map { $0 + ": x\n" }.joined() + "job.monthly:", in: "pits/texts/\(language).yaml")
        }
        let pits = try #require(try sample.load().entity("pits")), states = try #require(pits.states)
        #expect(states.transitions.map(\.own) == ["made_by", nil] && states.transitions.map(\.require) == [["PIT-DEEP"], ["PIT-DEEP"]])
        #expect(states.closed == ["DONE", "SENT"] && states.frozen == ["SENT"])
        #expect(pits.editors == ["JEFE"] && pits.openFields == ["CAMPO": ["dug_on", "depth_m"]])
        #expect(pits.fields(openTo: "CAMPO") == ["id", "status", "updated_at", "dug_on", "depth_m"])
    }
}
