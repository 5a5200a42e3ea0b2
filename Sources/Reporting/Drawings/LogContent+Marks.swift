import Blocks
import Model

extension LogContent {
    /// Depths are recorded in centimetres.
    private static let tolerance = 0.005

    /// The log with each part where nothing was logged as a layer of its own, and with a remark on
    /// each layer whose depths contradict others.
    func marked(_ words: ReportWords) -> LogContent {
        guard !layers.isEmpty else { return self }
        func metres(_ depth: Double) -> String {
            let centimetres = Int((depth * 100).rounded())
            return "\(centimetres / 100)\(words("decimal_point"))\(centimetres % 100 / 10)\(centimetres % 10)"
        }
        func gap(_ from: Double, _ to: Double) -> Layer {
            Layer(
                stratum: Stratum(top: from, bottom: to, symbol: ""), number: "", description: words("gap", ["from": metres(from), "to": metres(to)]),
                cells: columns.map { _ in .empty }, isGap: true)
        }
        var marked = self
        marked.layers = []
        var depth = 0.0
        for var layer in layers {
            let (top, bottom) = (layer.stratum.top, layer.stratum.bottom)
            var faults: [String] = []
            if top > depth + Self.tolerance { marked.layers.append(gap(depth, top)) }
            if bottom <= top { faults.append(words("upside_down", ["from": metres(top), "to": metres(bottom)])) }
            if top < depth - Self.tolerance { faults.append(words("overlap", ["from": metres(top), "to": metres(min(depth, max(top, bottom)))])) }
            if let total, bottom > total + Self.tolerance { faults.append(words("below_end", ["depth": metres(total)])) }
            if !faults.isEmpty {
                layer.isFaulty = true
                layer.description = ([layer.description] + faults).filter { !$0.isEmpty }.joined(separator: "\n")
            }
            marked.layers.append(layer)
            depth = max(depth, bottom)
        }
        if let total, total > depth + Self.tolerance { marked.layers.append(gap(depth, total)) }
        return marked
    }

    /// What stands below the last layer: where the excavation ended, and layers without depths.
    func ending(_ words: ReportWords, _ metres: (Double) -> String) -> String {
        let end = total.map { words("end", ["depth": metres($0)]) } ?? words("no_depth", ["depth": metres(depth)])
        return ([end] + unplaced.map { words("without_depths", ["stratum": $0]) }).joined(separator: "\n")
    }
}
