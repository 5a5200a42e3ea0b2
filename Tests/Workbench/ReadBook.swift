/// A written workbook as openpyxl sees it.
package struct ReadBook {
    package let path: String

    package init(path: String) { self.path = path }

    /// The value of a Python expression; `wb` is the workbook, `s(name)` a sheet.
    package func callAsFunction(_ expression: String) throws -> String {
        try OtherProgram.python(
            """
            import sys, warnings, openpyxl
            warnings.simplefilter('error')
            wb = openpyxl.load_workbook(sys.argv[1])
            def s(name): return wb[name]
            def row(name, n): return [c.value for c in s(name)[n]]
            def lists(name): return sorted((str(v.sqref), v.formula1, v.showErrorMessage) for v in s(name).data_validations.dataValidation)
            print(eval(sys.argv[2]))
            """, path, expression)
    }

    /// What `xmllint` complains about in any part; empty when all parts are well-formed.
    package func malformedParts() throws -> String { try OtherProgram.malformedParts(of: path) }

    package func part(_ name: String) throws -> String {
        try OtherProgram.python("import sys, zipfile; print(zipfile.ZipFile(sys.argv[1]).read(sys.argv[2]).decode())", path, name)
    }
}
