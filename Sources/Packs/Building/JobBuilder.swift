internal import Model

/// Makes jobs of `jobs/*.yaml`.
struct JobBuilder {
    let exports: [ExportDefinition]
    let reports: [ReportDefinition]

    func job(_ node: YAMLNode) -> Job? {
        guard let name = node.text("job") else { return nil }
        return Job(
            name: name, steps: node.items("steps").compactMap(step), output: node.text("output"),
            failOn: node.word("failOn", FailOn.self) ?? .error, maximumErrors: node["maxErrors"]?.integer,
            allowed: Dictionary(
                node.items("allow").compactMap { item in item.text("code").flatMap { code in item["count"]?.integer.map { (code, $0) } } },
                uniquingKeysWith: { first, _ in first }),
            waitSeconds: node["wait"]?.integer ?? 0, period: node.text("period"), records: node.word("records", Period.Records.self) ?? .within)
    }

    private func step(_ node: YAMLNode) -> Job.Step? {
        let product: Job.Product
        let offered: [ExportFormat]
        if let name = node.text("export") {
            product = .export(name)
            offered = exports.first { $0.name == name }?.formats ?? []
        } else if let name = node.text("report") {
            product = .report(name)
            offered = reports.first { $0.name == name }?.formats ?? []
        } else {
            return nil
        }
        return Job.Step(
            product: product, formats: node["formats"].map { $0.texts.compactMap(ExportFormat.init) } ?? offered,
            dialect: node.word("dialect", CSVDialect.self),
            selection: SelectionRequest(
                projects: node.texts("projects"), states: node.texts("states"),
                syncStates: node["syncStates"].map { $0.texts.compactMap(SyncState.init) }, from: node.text("from"),
                to: node.text("to"),
                filter: node.text("where")),
            policy: node.word("policy", FindingsPolicy.self), zipped: node["zip"]?.boolean ?? false,
            markExported: node["markExported"]?.boolean ?? false, allowsEmpty: node["allowEmpty"]?.boolean ?? false)
    }
}
