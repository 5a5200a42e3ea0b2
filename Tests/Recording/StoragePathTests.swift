import Testing

@testable import Recording

/// Where files of a project may lie in Storage.
@Suite struct StoragePathTests {
    private static let photos = "project-files/orgs/{organisation}/projects/{project}/calicatas/{calicata_id}/photos"

    @Test(arguments: [
        ("project-files/orgs/o/projects/p/calicatas/c/photos/i/a.jpg", true),
        // The record may have moved within its project, and the organisation's id may be another.
        ("project-files/orgs/-/projects/p/elsewhere/a.jpg", true),
        ("project-files/orgs/o/projects/q/calicatas/c/photos/i/a.jpg", false),
        ("exports/orgs/o/projects/p/calicatas/c/photos/i/a.jpg", false),
        ("project-files/orgs/o/projects/p/../q/a.jpg", false),
        ("project-files/orgs/o/projects/p//a.jpg", false),
        ("project-files/orgs/o/projects/p", false),
        ("/project-files/orgs/o/projects/p/a.jpg", false),
        ("", false),
    ]) func aPlaceBelongsToItsProject(_ path: String, _ isOwn: Bool) {
        #expect(StoragePath.isPlace(path, like: Self.photos, of: "p") == isOwn)
    }

    @Test func whereNoProjectIsNamedTheBucketCounts() {
        #expect(StoragePath.isPlace("avatars/users/u/avatar.png", like: "avatars/users/{id}/avatar.png", of: nil))
        #expect(!StoragePath.isPlace("project-files/orgs/o/projects/p/a.jpg", like: "templates", of: nil))
        #expect(!StoragePath.isPlace("exports/orgs/o/projects/p/a.csv", like: StoragePath.pattern, of: nil))
    }

    @Test func whatIsRegisteredLiesInItsPlace() {
        #expect(StoragePath.isPlace(StoragePath(organisation: nil, project: "p").folder + "/e/a.csv", like: StoragePath.pattern, of: "p"))
    }
}
