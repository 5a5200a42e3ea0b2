import Testing

@testable import CommandLineTool

/// Texts of records that are shown in a terminal. Characters that would steer the terminal are
/// escaped.
@Suite struct TerminalTextTests {
    @Test(arguments: [
        ("C-01 \u{1B}[31m", "C-01 \\u001b[31m"), ("a\u{202E}gpj.exe", "a\\u202egpj.exe"), ("a\u{2066}b\u{2069}", "a\\u2066b\\u2069"),
        ("zero\u{200B}width\u{FEFF}", "zero\\u200bwidth\\ufeff"), ("line\u{2028}", "line\\u2028"), ("tag\u{E0041}", "tag\\udb40\\udc41"),
        ("Ñandú, 0.40 m – «è»\n\t日本", "Ñandú, 0.40 m – «è»\n\t日本"),
    ])
    func whatATerminalObeysOrDoesNotShowIsShown(_ text: String, _ shown: String) {
        #expect(TerminalText.harmless(text) == shown)
    }
}
