package import Model

extension ImportMapping {
    /// Whether some row of the mapping belongs to a project that the mapping does not name. The
    /// user must then name the project for the import.
    package func lacksProject(_ pack: Pack) -> Bool {
        var isLacking = false
        _ = completed(nil, pack) { isLacking = true }
        return isLacking
    }

    /// The mapping with the project filled in wherever it is missing. If the mapping reads the
    /// project's code from the file, the code must be that of this project.
    ///
    /// Throws `ImportFailure.otherProject` if the mapping names a different project as a
    /// constant.
    package func ofProject(_ project: (id: String, code: String), _ pack: Pack, path: String) throws -> ImportMapping {
        for field in (tables.flatMap(\.targets) + forms.flatMap(\.rows).map(\.target)).flatMap({ $0.projectCodes(pack) }
        ) {
            guard case .constant(let code) = field.value, code != project.code else { continue }
            throw ImportFailure.otherProject(path: path, mapping: name, found: code, given: project.code)
        }
        var mapping = completed(project, pack) {}
        (mapping.projectCode, mapping.projectID) = (project.code, project.id)
        return mapping
    }

    private func completed(_ project: (id: String, code: String)?, _ pack: Pack, _ lacking: () -> Void) -> ImportMapping
    {
        var mapping = self
        for table in mapping.tables.indices {
            for target in mapping.tables[table].targets.indices {
                mapping.tables[table].targets[target].setProject(project, pack, lacking)
            }
        }
        for form in mapping.forms.indices {
            for row in mapping.forms[form].rows.indices {
                mapping.forms[form].rows[row].target.setProject(project, pack, lacking)
            }
        }
        return mapping
    }
}

extension Entity {
    /// The field that refers directly to the project.
    func projectField(_ pack: Pack) -> String? {
        fields.first {
            $0.references == pack.project.entity && $0.type != .list && ($0.isRequired || keyScope == $0.name)
        }?.name
    }
}

extension ImportMapping.Target {
    fileprivate func projectCodes(_ pack: Pack) -> [ImportMapping.Field] {
        (entity == pack.project.entity ? fields.filter { $0.name == pack.project.code } : [])
            + fields.flatMap { $0.projectCodes(pack) }
    }

    fileprivate mutating func setProject(_ project: (id: String, code: String)?, _ pack: Pack, _ lacking: () -> Void) {
        guard let own = pack.entity(entity) else { return }
        for index in fields.indices {
            if entity == pack.project.entity, fields[index].name == pack.project.code {
                fields[index].hold(to: project)
            }
            fields[index].setProject(project, pack, lacking)
        }
        guard let link = own.projectField(pack), !fields.contains(where: { $0.name == link }) else { return }
        lacking()
        guard let project else { return }
        fields.insert(.init(link, .constant(project.id)), at: 0)
        if own.keyScope == link, !key.contains(link), !key.isEmpty { key.insert(link, at: 0) }
    }
}

extension ImportMapping.Field {
    /// The code of the project that the user gave for the import. It is used if the table has no
    /// column for the project.
    var givenProject: String? {
        for case .ofProject(let code) in conversions { return code }
        return nil
    }

    fileprivate func projectCodes(_ pack: Pack) -> [ImportMapping.Field] {
        guard case .parent(let entity, let by) = value else { return [] }
        return (entity == pack.project.entity ? by.filter { $0.name == pack.project.code } : [])
            + by.flatMap { $0.projectCodes(pack) }
    }

    /// Requires that the file's project code is that of the given project.
    fileprivate mutating func hold(to project: (id: String, code: String)?) {
        guard let project else { return }
        conversions.append(.ofProject(project.code))
    }

    /// Adds the project to the keys by which parents are found.
    fileprivate mutating func setProject(_ project: (id: String, code: String)?, _ pack: Pack, _ lacking: () -> Void) {
        guard case .parent(let name, var by) = value, let parent = pack.entity(name) else { return }
        for index in by.indices {
            if name == pack.project.entity, by[index].name == pack.project.code { by[index].hold(to: project) }
            by[index].setProject(project, pack, lacking)
        }
        if let link = parent.projectField(pack), parent.keyScope == link, !by.contains(where: { $0.name == link }) {
            lacking()
            if let project { by.insert(.init(link, .constant(project.id)), at: 0) }
        }
        value = .parent(entity: name, by: by)
    }
}
