import Foundation
import JSONReading
import Testing
import Workbench
@testable import Schemas

/// Our own cases from the specification of draft 2020-12, core and validation. Each case names its
/// place there and gives right and wrong values. Another implementation checks the same cases, so
/// that no case depends on our opinion alone.
@Suite struct SpecificationTests {
    static let files = ["core", "applicators", "assertions"]
    private static func path(_ file: String) -> String {
        ProjectFolder.root.appendingPathComponent("Tests/Schemas/Cases/\(file).json").path
    }

    @Test(arguments: files) func casesAreJudgedAsTheSpecificationSays(_ file: String) throws {
        let cases = try #require(JSONValue.parse(Data(contentsOf: URL(fileURLWithPath: Self.path(file)))).items)
        #expect(cases.count >= 25)
        for item in cases {
            let about = item["about"]?.text ?? ""
            var options = SchemaProgram.Options()
            for member in item["documents"]?.members ?? [] { options.documents[member.key] = member.value }
            let compiled = SchemaProgram.compile(try #require(item["schema"]), options: options)
            #expect(compiled.mistakes == [], "\(about)")
            guard let program = compiled.program else { continue }
            var machine = SchemaMachine(program)
            for value in try #require(item["right"]?.items) { #expect(machine.faults(of: value) == [], "\(about): \(value) is right") }
            for value in try #require(item["wrong"]?.items) { #expect(machine.faults(of: value) != [], "\(about): \(value) is wrong") }
        }
    }

    /// If `differs` says that the other program differs, it must still do so. Otherwise the remark
    /// is out of date.
    @Test(arguments: files) func anotherProgramJudgesTheCasesAlike(_ file: String) throws {
        let told = try OtherProgram.python(
            """
            import json, sys, jsonschema
            def judge(case):
                store = {address: document for address, document in case.get('documents', {}).items()}
                resolver = jsonschema.RefResolver.from_schema(case['schema'], id_of=lambda s: s.get('$id', '') if isinstance(s, dict) else '', store=store)
                check = jsonschema.Draft202012Validator(case['schema'], resolver=resolver)
                return [check.is_valid(v) for v in case['right']] == [True] * len(case['right']) and not any(check.is_valid(v) for v in case['wrong'])
            for case in json.load(open(sys.argv[1], encoding='utf-8')):
                try: agrees = judge(case)
                except Exception as error: agrees = False; case['about'] += ' ' + repr(error)[:200]
                if agrees == ('differs' in case): print(case['about'], '· agrees' if agrees else '· differs')
            """, Self.path(file))
        #expect(told.isEmpty, "\(told)")
    }
}
