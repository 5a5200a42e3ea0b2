import Testing
import Workbench

@testable import PDFArchive

@Suite struct ColourProfileTests {
    /// LittleCMS has an sRGB of its own; colours must stay what they are from one to the other.
    @Test func anotherProgramsColoursAreTheSame() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(ColourProfile.sRGB, to: "sRGB.icc")
        let answer = try OtherProgram.python(
            """
            import sys
            from PIL import Image, ImageCms
            own = ImageCms.ImageCmsProfile(sys.argv[1])
            picture = Image.new('RGB', (16, 16 * 16))
            picture.putdata([(r * 17, g * 17, b * 17) for r in range(16) for g in range(16) for b in range(16)])
            turned = ImageCms.profileToProfile(picture, own, ImageCms.createProfile('sRGB'))
            most = max(abs(a - b) for one, other in zip(picture.getdata(), turned.getdata()) for a, b in zip(one, other))
            print(own.profile.version, own.profile.xcolor_space.strip(), own.profile.device_class, ImageCms.getProfileDescription(own).strip(), most)
            """, path)
        let words = answer.split(separator: " ")
        #expect(words.dropLast() == ["4.2", "RGB", "mntr", "sRGB"], "\(answer)")
        #expect(words.last.flatMap { Int($0) }.map { $0 <= 1 } == true, "\(answer)")
    }

    @Test func itIsSmall() {
        #expect(ColourProfile.sRGB.count < 600)
        #expect(ColourProfile.sRGB.count % 4 == 0)
    }
}
