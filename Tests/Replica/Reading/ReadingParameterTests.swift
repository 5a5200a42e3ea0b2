import Databases
import Model
import Testing

@testable import Replica

/// Parameters in the form of the field app, and many parameters with the same text.
@Suite struct ReadingParameterTests {
    @Test(arguments: [
        (#"{"a": {"type": "number", "stringValue": null, "numberValue": 30, "boolValue": null}}"#, "30"),
        (#"{"a": {"stringValue": null, "boolValue": false, "type": "bool"}}"#, "0"),
        (#"{"a": {"type": "text", "stringValue": null, "numberValue": null}}"#, nil),
        (#"{"a": {"type": "date", "dateValue": "2025-05-11"}}"#, "2025-05-11"),
        (#"{"a": {"type": {"x": 1}, "stringValue": "s"}}"#, #"{"type":{"x":1},"stringValue":"s"}"#),
        (#"{"a": {"type": "wall"}}"#, #"{"type":"wall"}"#),
    ] as [(String, String?)]) func theMemberThatHoldsAValueIsTaken(_ json: String, _ value: String?) throws {
        let scene = try ReadingScene.pits()
        let statement = try SQLiteConnection(path: scene.file).prepare("SELECT parameter(?1, 'a', '')", [.text(json)])
        #expect(try statement.step())
        #expect(statement.text(0) == value)
    }

    @Test func oneTextAfterAnotherIsReadAnew() throws {
        let scene = try ReadingScene.pits()
        let connection = try SQLiteConnection(path: scene.file)
        let statement = try connection.prepare(
            """
            SELECT parameter(column1, 'a', ''), parameter(column2, 'a', ''), parameter(column1, 'b', ''), parameter(column2, 'b', '')
            FROM (VALUES ('{"a":1,"b":2}', '{"a":3,"b":4}'), ('{"a":5}', 'broken'), (NULL, '{"a":3,"b":4}'), ('broken', '{"a":3}'))
            """)
        var rows: [[String?]] = []
        while try statement.step() { rows.append((0..<4).map(statement.text)) }
        #expect(rows == [["1", "3", "2", "4"], ["5", nil, nil, nil], [nil, "3", nil, "4"], [nil, "3", nil, nil]])
    }
}
