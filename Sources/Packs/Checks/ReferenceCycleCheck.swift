internal import Model

/// Finds cycles of required references, whose rows could never be inserted. Optional references may
/// form cycles: a level may have a parent level.
struct ReferenceCycleCheck {
    let context: CheckContext
    let files: [PackFolder.File]

    func check() {
        var done: Set<String> = []
        for entity in context.pack.entities where !done.contains(entity.name) {
            var path: [String] = []
            visit(entity, &path, &done)
        }
    }

    private func visit(_ entity: Entity, _ path: inout [String], _ done: inout Set<String>) {
        path.append(entity.name)
        for field in entity.fields where field.isRequired && field.type != .list {
            guard let target = field.references, let next = context.pack.entity(target) else { continue }
            if let start = path.firstIndex(of: target) {
                let circle = (path[start...] + [target]).joined(separator: " → ")
                context.mistakes.add(.cycle, at: place(of: field, in: entity), ["path": circle])
            } else if !done.contains(target) {
                visit(next, &path, &done)
            }
        }
        path.removeLast()
        done.insert(entity.name)
    }

    private func place(of field: Field, in entity: Entity) -> PackPlace {
        let root = files.first { $0.kind == .entity && $0.root.text("entity") == entity.name }?.root
        let node = root?.items("fields").first { $0.text("name") == field.name }
        return node?["references"]?.place ?? node?.place ?? PackPlace(file: entity.name)
    }
}
