import Foundation
import Model

/// Takes out of a draft what a pack would not take: rules that compare what cannot be compared, and
/// limits that no value keeps. Each becomes a comment.
enum DraftRules {
    static func settle(_ draft: inout PackDraft) {
        // The fields of a table are all that its conditions see.
        let pack = Pack(.keys([]), fingerprint: "", directory: URL(fileURLWithPath: "/"))
        for index in draft.tables.indices {
            let columns = draft.tables[index].fields.map { ImportMapping.Column(name: $0.name, type: $0.type, headings: []) }
            let entity = ImportMapping.Column.entity(columns + [ImportMapping.Column(name: "id", type: .uuid, headings: [])])
            func isSound(_ text: String) -> Bool {
                guard let expression = try? ExpressionParser.parse(text) else { return false }
                return ExpressionCheck.mistakes(inCondition: expression, over: entity, of: pack, knowsDay: true).isEmpty
            }
            for rule in draft.tables[index].rules where !isSound(rule.requirement) { draft.tables[index].notes.append(DraftNote("constraint", ["text": rule.requirement])) }
            draft.tables[index].rules.removeAll { !isSound($0.requirement) }
            for place in draft.tables[index].fields.indices {
                let field = draft.tables[index].fields[place]
                if let condition = field.requiredWhen, !isSound(condition) {
                    draft.tables[index].fields[place].requiredWhen = nil
                    draft.tables[index].fields[place].notes.append(DraftNote("required", ["text": condition]))
                }
                if let least = field.minimum, let most = field.maximum, least > most {
                    (draft.tables[index].fields[place].minimum, draft.tables[index].fields[place].maximum) = (nil, nil)
                    draft.tables[index].fields[place].notes.append(DraftNote("constraint", ["text": "\(least) … \(most)"]))
                }
                if let least = field.minimumLength, let most = field.maximumLength, least > most {
                    (draft.tables[index].fields[place].minimumLength, draft.tables[index].fields[place].maximumLength) = (nil, nil)
                    draft.tables[index].fields[place].notes.append(DraftNote("constraint", ["text": "\(least) … \(most)"]))
                }
            }
        }
    }
}
