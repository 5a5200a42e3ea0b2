import Testing

@testable import CommandLineTool
@testable import Pipeline

@Suite struct FileProgressTests {
    @Test func filesBytesAndTimeLeftOfAllAndEachFileUnderWay() {
        var progress = FileProgress(count: 4, bytes: 40_000_000)
        progress.begin("1", "a.jpg", bytes: 10_000_000)
        progress.begin("2", "b.jpg", bytes: nil)
        #expect(progress.line("Sending", elapsed: .zero) == "Sending: 0/4, 0.0/40.0 MB (0 %), 0.0 MB/s · a.jpg 0 %, b.jpg")
        progress.move("1", to: 4_000_000)
        progress.move("1", to: 6_000_000)
        progress.move("2", to: 2_000_000)
        #expect(progress.line("Sending", elapsed: .seconds(4)) == "Sending: 0/4, 8.0/40.0 MB (20 %), 16 s, 2.0 MB/s · a.jpg 60 %, b.jpg")
        progress.end("1")
        #expect(progress.line("Sending", elapsed: .seconds(4)) == "Sending: 1/4, 8.0/40.0 MB (20 %), 16 s, 2.0 MB/s · b.jpg")
    }

    @Test func filesOfOneNameAreToldApart() {
        var progress = FileProgress(count: 2, bytes: 200)
        for id in ["1", "2"] { progress.begin(id, "IMG_1.jpg", bytes: 100) }
        progress.move("2", to: 40)
        progress.move("1", to: 10)
        #expect(progress.moved == 50)
        progress.end("1")
        #expect(progress.line("Sending", elapsed: .zero).hasSuffix("· IMG_1.jpg 40 %"))
    }

    @Test func withoutSizesThereIsNoTimeLeft() {
        var progress = FileProgress(count: 2, bytes: 0)
        progress.begin("1", "a.jpg", bytes: nil)
        progress.move("1", to: 1_500_000)
        #expect(progress.line("Fetching", elapsed: .seconds(1)) == "Fetching: 0/2, 1.5 MB, 1.5 MB/s · a.jpg")
    }
}
