import Model

/// Buckets and rights of files, on servers that have Supabase's Storage. The fourth folder of a
/// path names the project: `orgs/ORG/projects/PROJECT/…`.
struct StoragePolicies {
    private let pack: Pack

    init(_ pack: Pack) { self.pack = pack }

    private static let project = "(storage.foldername(name))[4] IN (SELECT p::text FROM fichero.projects() AS p)"
    private static let isOwn = "name LIKE 'users/' || fichero.actor() || '/%'"

    private func holding(_ roles: [Role]) -> String {
        roles.isEmpty ? "false" : "(SELECT fichero.role()) IN (\(PostgresText.list(roles.map(\.name))))"
    }

    var statements: [String] {
        let mayWrite = holding(pack.roles.filter { $0.permissions.contains(.sync) })
        // Who may register a document may write its file.
        let mayRegister = holding(pack.roles.filter { role in pack.entity("exports").map(role.maySend) ?? false })
        let rights: [(bucket: String, see: String, write: String)] = [
            ("project-files", Self.project, "\(mayWrite) AND \(Self.project)"),
            ("exports", Self.project, "\(mayRegister) AND \(Self.project)"),
            ("avatars", "(SELECT fichero.role()) IS NOT NULL", "(SELECT fichero.role()) IS NOT NULL AND (\(Self.isOwn) OR (SELECT fichero.administers()))"),
            ("templates", "(SELECT fichero.role()) IS NOT NULL", "(SELECT fichero.administers())"),
        ]
        let policies = rights.flatMap { right -> [String] in
            let name = "fichero_" + right.bucket.replacing("-", with: "_")
            func policy(_ command: String, _ clauses: String) -> String {
                """
                    DROP POLICY IF EXISTS \(name)_\(command.lowercased()) ON storage.objects;
                    CREATE POLICY \(name)_\(command.lowercased()) ON storage.objects FOR \(command) TO authenticated \(clauses);
                """
            }
            let (see, write) = ("bucket_id = '\(right.bucket)' AND \(right.see)", "bucket_id = '\(right.bucket)' AND \(right.write)")
            return [policy("SELECT", "USING (\(see))"), policy("INSERT", "WITH CHECK (\(write))"), policy("UPDATE", "USING (\(write)) WITH CHECK (\(write))")]
        }
        let buckets = rights.map { "('\($0.bucket)', '\($0.bucket)')" }.joined(separator: ", ")
        return [
            """
            DO $storage$ BEGIN IF to_regclass('storage.objects') IS NOT NULL THEN
                INSERT INTO storage.buckets (id, name) VALUES \(buckets) ON CONFLICT (id) DO NOTHING;
            \(policies.joined(separator: "\n"))
            END IF; END $storage$;
            """
        ]
    }
}
