import Importing
import Model
import Patterns

/// Caches the fits of columns' values for all tables of a file. Tables of an XML document repeat
/// the values around their rows, and every table may be examined twice.
final class JudgedContents {
    /// Everything in a field that decides which values fit. Many fields have the same requirements.
    struct Question: Hashable {
        let type: FieldType
        let words: [String?]
        let bounds: [Double?]

        init(_ field: Field) {
            type = field.type
            words = [field.vocabulary, field.pattern, field.unit, field.vocabulary == nil ? nil : field.name]
            bounds = [
                field.minimum, field.maximum, field.minimumLength.map(Double.init),
                field.maximumLength.map(Double.init),
            ]
        }
    }

    /// The values of a column with their frequencies, and whatever else in the table and heading
    /// affects the fit.
    struct Content: Hashable {
        let cells: [TableSample.Cell]
        let counts: [Int]
        let isCommaTable: Bool
        let scale: CellConversion?
    }

    private struct Pair: Hashable {
        let content: Int
        let question: Int
    }

    private var questions: [Question: Int] = [:]
    private var fields: [String: Int] = [:]
    private var contents: [Content: Int] = [:]
    private var fits: [Pair: ContentFit] = [:]
    private var patterns: [String: Pattern] = [:]
    /// By vocabulary, words that a person would recognise as its values.
    private var meanings: [String: [String: String]] = [:]
    /// Number of fits that were requested, and of those that had to be computed.
    private(set) var work = (asked: 0, judged: 0)

    /// A number for the content of a column; equal contents have the same number.
    func number(of content: Content) -> Int {
        if let known = contents[content] { return known }
        contents[content] = contents.count
        return contents.count - 1
    }

    func fit(_ content: Int, _ entity: String, _ field: Field, _ judge: () -> ContentFit) -> ContentFit {
        work.asked += 1
        let pair = Pair(content: content, question: question(entity, field))
        if let known = fits[pair] { return known }
        work.judged += 1
        let fit = judge()
        fits[pair] = fit
        return fit
    }

    /// The number of a field's requirements; equal requirements have the same number.
    private func question(_ entity: String, _ field: Field) -> Int {
        let name = entity + "." + field.name
        if let known = fields[name] { return known }
        let question = Question(field)
        let number = questions[question] ?? questions.count
        questions[question] = number
        fields[name] = number
        return number
    }

    func pattern(_ source: String) -> Pattern? {
        if let known = patterns[source] { return known }
        let pattern = try? Pattern(source)
        patterns[source] = pattern
        return pattern
    }

    /// The values of a vocabulary, by their labels in every language without case and accents.
    func meaning(of vocabulary: Vocabulary, _ texts: Texts) -> [String: String] {
        if let known = meanings[vocabulary.name] { return known }
        let meaning = vocabulary.valuesByWord(texts, ColumnName.normal)
        meanings[vocabulary.name] = meaning
        return meaning
    }
}
