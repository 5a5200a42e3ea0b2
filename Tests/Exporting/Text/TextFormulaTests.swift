import Testing

@testable import Exporting

@Suite struct TextFormulaTests {
    private func isDangerous(_ text: String, decimalSeparator: Character = ".") -> Bool {
        var text = text
        return text.withUTF8 { unsafe FormulaText.isDangerous($0, decimalSeparator: decimalSeparator.asciiValue ?? 0) }
    }

    @Test(arguments: [
        "=1+1", "=", "+A1", "-A1", "@SUM(A1)", "\t=1", "\tx", "\r=1", "\rx", " =1", "\n=1", " \u{A0}=1", "\u{FEFF}=1", "\u{200B}=1",
        "\u{3000}=1", "\u{AD}=1", "\u{202A}@x", "\u{2060}+x", "＝1+1", "＋1", "－A1", "＠x", " ＝1", "-", "--1", "-1-1", "+51 999 888 777",
        "-1e", "-e5", "-.", "-1.2.3", "+1,5", "-0x10", "-12.5abc", "-12.5\t", "-∞", "\u{0B}=1", "\u{7F}=1", "-1:2",
    ])
    func isNeutralised(text: String) {
        #expect(isDangerous(text))
    }

    @Test(arguments: [
        "", "a", "a=1", "1+1", "-12.5", "+3", "-1e5", "-1E+05", "-.5", "-5.", " -12.5", "-12.5 ", "+0", "12", "x@y.pe", "'=1", "(=1)",
        "é=1", "\u{A0}a", "   ", "\u{FEFF}", "·=1", "，=1", "ＡＢ", "∑=1", "\u{3001}=1",
    ])
    func staysAsItIs(text: String) {
        #expect(!isDangerous(text))
    }

    @Test func decimalSeparatorDecidesWhatIsANumber() {
        #expect(!isDangerous("-12,5", decimalSeparator: ","))
        #expect(isDangerous("-12.5", decimalSeparator: ","))
        #expect(isDangerous("-12,5"))
        #expect(!isDangerous("-1e5", decimalSeparator: ","))
    }

    /// Only a text with such a first byte is checked further. So every dangerous text must begin
    /// with one.
    @Test func everyDangerousTextBeginsWithALeadingByte() {
        let leads = Set(FormulaText.leadingBytes)
        for scalar in (0...0xFFFF).compactMap(UnicodeScalar.init) where isDangerous("\(scalar)=1") {
            let first = "\(scalar)".utf8.first ?? 0
            // Control characters other than tab, line feed and return are replaced, so they cannot
            // begin a formula.
            #expect(leads.contains(first) || first < 0x20 || first == 0x7F, "U+\(String(scalar.value, radix: 16))")
        }
    }
}
