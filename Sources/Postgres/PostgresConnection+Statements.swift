extension PostgresConnection {
    /// Statements that declare the tables of the schemas that a person made, with keys, references,
    /// checks, lists of words and comments, as the server's own functions write them. Only its
    /// catalogues are read.
    package func tableStatements() throws -> String {
        var statements: [String] = []
        let enumerations = try run("""
            SELECT format('CREATE TYPE %I AS ENUM (%s)', t.typname, string_agg(quote_literal(e.enumlabel), ', ' ORDER BY e.enumsortorder))
            FROM pg_type t JOIN pg_enum e ON e.enumtypid = t.oid JOIN pg_namespace n ON n.oid = t.typnamespace
            WHERE \(Self.isOwn) GROUP BY t.oid, t.typname ORDER BY t.typname
            """)
        let tables = try run("""
            SELECT format('CREATE TABLE %I.%I (%s)', n.nspname, c.relname, string_agg(
              format('%I %s%s%s', a.attname, format_type(a.atttypid, a.atttypmod), CASE WHEN a.attnotnull THEN ' NOT NULL' ELSE '' END,
                CASE WHEN a.attgenerated <> '' THEN ' GENERATED ALWAYS AS (1) STORED' ELSE '' END), ', ' ORDER BY a.attnum))
            FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
            WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND \(Self.isOwn) GROUP BY c.oid, c.relname, n.nspname ORDER BY n.nspname <> 'public', n.nspname, c.oid
            """)
        let constraints = try run("""
            SELECT format('ALTER TABLE %I.%I ADD CONSTRAINT %I %s', n.nspname, c.relname, k.conname, pg_get_constraintdef(k.oid))
            FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid JOIN pg_namespace n ON n.oid = c.relnamespace
            WHERE k.contype IN ('p', 'u', 'f', 'c') AND NOT c.relispartition AND \(Self.isOwn) ORDER BY k.oid
            """)
        let comments = try run("""
            SELECT CASE WHEN d.objsubid = 0 THEN format('COMMENT ON TABLE %I.%I IS %L', n.nspname, c.relname, d.description)
              ELSE format('COMMENT ON COLUMN %I.%I.%I IS %L', n.nspname, c.relname, a.attname, d.description) END
            FROM pg_description d JOIN pg_class c ON c.oid = d.objoid AND d.classoid = 'pg_class'::regclass JOIN pg_namespace n ON n.oid = c.relnamespace
            LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = d.objsubid
            WHERE c.relkind IN ('r', 'p') AND \(Self.isOwn) ORDER BY c.oid, d.objsubid
            """)
        for rows in [enumerations, tables, constraints, comments] {
            statements += (0..<rows.count).compactMap { rows[row: $0, column: 0] }
        }
        return statements.joined(separator: ";\n")
    }

    private static let isOwn = "n.nspname NOT IN ('pg_catalog', 'information_schema', 'fichero', 'auth', 'storage', 'realtime', 'extensions', 'vault', 'graphql', 'graphql_public') AND n.nspname NOT LIKE 'pg\\_%'"
}
