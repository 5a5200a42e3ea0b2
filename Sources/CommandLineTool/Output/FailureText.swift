import Foundation
import Model
import Packs

/// A failure as text for people and as JSON.
struct FailureText {
    let text: String
    let detail: Detail
    let json: String
    let jsonLine: String

    init(_ failure: any Failure, texts: Texts, language: Language) {
        if let pack = failure as? PackFailure {
            text = pack.lines(in: language).joined(separator: "\n")
        } else {
            text = Self.words(failure, texts: texts, language: language)
        }
        detail = Detail(
            code: failure.code, exitCode: failure.exitCode.rawValue, message: text, arguments: failure.arguments, place: failure.place)
        let document = Document(error: detail)
        (json, jsonLine) = (JSONString.document(document), JSONString.line(document))
    }

    /// `error: CODE` and place; the message; the remedy.
    private static func words(_ failure: any Failure, texts: Texts, language: Language) -> String {
        let arguments = failure.arguments
        var head = "error: \(failure.code)"
        if let place = failure.place, let file = place.file {
            let spot = ([file, place.sheet, place.cell] as [String?]).compactMap(\.self).joined(separator: " · ")
            head = [spot, place.line.map(String.init), place.column.map(String.init)].compactMap(\.self).joined(separator: ":") + ": " + head
        }
        let key = "error." + failure.code
        guard let message = texts.textIfAny(key + ".message", in: language) else {
            let listed = arguments.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
            return ([head] + listed).joined(separator: "\n  ")
        }
        var lines = [head, Texts.fill(message, with: arguments)]
        if let remedy = texts.textIfAny(key + ".remedy", in: language) {
            lines.append("→ " + Texts.fill(remedy, with: arguments))
        }
        if arguments["imported"] != nil, let before = texts.textIfAny("error.before.imported", in: language) { lines.append(Texts.fill(before, with: arguments)) }
        return lines.joined(separator: "\n  ")
    }

    /// The failure for programs.
    struct Detail: Encodable {
        var code: String
        var exitCode: Int32
        var message: String
        var arguments: [String: String]
        var place: Place?
    }

    private struct Document: Encodable { var error: Detail }
}
