import Foundation
import Testing

/// A replica without its folder of photos. No command says that all is well.
@Suite struct AbsentPhotoTests {
    let office: Office

    init() throws { office = try Office.pits() }

    private func move(_ from: String, _ to: String) throws {
        try FileManager.default.moveItem(atPath: office.path(from), toPath: office.path(to))
    }

    @Test func theDoctorMissesThem() throws {
        #expect(try office.run("doctor").output.contains("✓ REPLICA-PHOTOS"))
        try move("fichero.db.files", "elsewhere")
        let run = try office.run("doctor")
        #expect(run.status == 65 && run.output.contains("✗ REPLICA-PHOTOS") && run.output.contains("fichero.db.files/"), "\(run.output)")
    }

    /// The job's own `failOn: never` does not bear it, and a delivery that is there already says so
    /// again.
    @Test(arguments: [["run", "informes-mensuales"], ["report", "entrega", "--project", "HYO-2025"], ["report", "ficha-calicata", "--format", "pdf,xlsx"]])
    func aDeliveryWithoutThemEndsWithOne(command: [String]) throws {
        let deliver = command + ["-o", "out"]
        try move("fichero.db.files", "elsewhere")
        for _ in 1...2 {
            let run = try office.run(deliver + ["--quiet"])
            #expect(run.status == 1 && run.error.isEmpty == false, "\(run.status) \(run.error)")
        }
        let told = try office.run(deliver)
        #expect(told.status == 1 && told.output.contains("PHOTO-GONE"), "\(told.output)")
        let lacking = try office.files("out")
        // Once they are back, the delivery is made with them.
        try move("elsewhere", "fichero.db.files")
        let whole = try office.run(deliver)
        #expect(whole.status == 0, "\(whole.output) \(whole.error)")
        #expect(try office.files("out").count > lacking.count)
        #expect(try office.run(deliver + ["--quiet"]).status == 0)
    }

    /// What is accepted by a number in the job is borne.
    @Test func aJobMayAllowANumber() throws {
        try move("fichero.db.files", "elsewhere")
        func job(_ allow: String) throws -> Int32 {
            try "job: own\nfailOn: never\n\(allow)steps:\n  - {report: ficha-calicata, formats: [pdf]}\n"
                .write(toFile: office.path("own.yaml"), atomically: true, encoding: .utf8)
            return try office.run("run", "own.yaml", "-o", "out").status
        }
        #expect(try job("") == 1)
        #expect(try job("allow: [{code: PHOTO-GONE, count: 9999}]\n") == 0)
        #expect(try job("allow: [{code: PHOTO-GONE, count: 1}]\n") == 1)
    }
}
