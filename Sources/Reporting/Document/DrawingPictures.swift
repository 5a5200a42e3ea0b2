package import Blocks

/// How large a picture is on its sheet, in points (1/72 inch), and how many times as large on paper.
package struct PictureSize {
    package var width: Double
    package var height: Double
    package var printed = 1.0
}

/// Draws content as pictures, for renderers that cannot draw. A picture has the ratio of the size
/// asked for, and enough pixels to be sharp on paper. Equal input gives equal bytes.
package protocol DrawingPictures {
    func picture(of strip: StripContent, _ size: PictureSize) throws -> ReportPicture
    /// A picture for each sheet that the profile takes, at its scales on paper.
    func pictures(of profile: ProfileContent, _ size: PictureSize) throws -> [ReportPicture]
    func picture(of sketch: SketchContent, _ size: PictureSize) throws -> ReportPicture
    func picture(of plot: PlotContent, _ size: PictureSize) throws -> ReportPicture
    func picture(of plan: PlanContent, _ size: PictureSize) throws -> ReportPicture
    /// What a reader of a plan of this size would miss.
    func notes(of plan: PlanContent, _ size: PictureSize) throws -> [String]
    /// The strip of a log whose layers are as high as the rows of a sheet, without gaps. There are
    /// as many row heights as layers.
    func logStrip(of log: LogContent, rowHeights: [Double], width: Double) throws -> ReportPicture
    /// A sample of a soil symbol's pattern, for a legend.
    func symbol(_ symbol: String, width: Double, height: Double) throws -> ReportPicture
}
