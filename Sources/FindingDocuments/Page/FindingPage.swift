internal import Digests
internal import Foundation
package import Model

/// Writes findings as one HTML page, piece by piece. The page needs no network and no other file,
/// and is readable without its script. It shows the first findings of each code, but counts all.
/// Equal findings give equal bytes.
///
/// The page's policy allows only its own style and script, by their SHA-256, and loads nothing. All
/// data are escaped; there are no inline styles or event handlers.
package struct FindingPage {
    private let text: FindingText
    private let head: FindingDocumentHead
    private let tally: FindingTally
    private let limits: Limits
    private let write: (String) throws -> Void

    package struct Limits: Sendable, Hashable {
        /// The number of findings of each code in the page.
        package var findings = 1000
        /// The number of findings of each code with a picture.
        package var pictures = 200

        package init(findings: Int = 1000, pictures: Int = 200) {
            self.findings = findings
            self.pictures = pictures
        }
    }

    /// - Parameter write: receives the page piece by piece.
    package init(
        _ text: FindingText, head: FindingDocumentHead, tally: FindingTally, limits: Limits = Limits(),
        write: @escaping (String) throws -> Void
    ) {
        self.text = text
        self.head = head
        self.tally = tally
        self.limits = limits
        self.write = write
    }

    package func write(_ source: any FindingSource) throws {
        try write(top)
        try write(try PagePatterns.svg())
        if tally.total > 0 {
            try write(PageCharts(tally: tally, text: text).html())
            try write(form)
            try writeSections(source)
        } else {
            try write("<p>\(word("report.clean"))</p>\n")
        }
        try write(bottom)
    }

    // MARK: Around the findings

    private var top: String {
        let title = word("report.title")
        // With more than three projects only the codes are shown; the project filter shows the
        // names.
        let names = head.projects.map {
            $0.code == $0.name || head.projects.count > 3 ? $0.code : "\($0.code) · \($0.name)"
        }
            .joined(separator: head.projects.count > 3 ? ", " : "; ")
        let policy =
            """
            default-src 'none'; img-src data:; style-src '\(Self.hash(FindingPageStyle.css))'; script-src \
            '\(Self.hash(PageScript.javascript))'; base-uri 'none'; form-action 'none'
            """
        var html = """
            <!DOCTYPE html>
            <html lang="\(text.language.rawValue)">
            <head>
            <meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" content="\(policy)">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="referrer" content="no-referrer">
            <meta name="generator" content="Fichero \(escaped(head.programVersion))">
            <title>\(title) · \(escaped(names.isEmpty ? head.system : names))</title>
            <style>\(FindingPageStyle.css)</style>
            </head>
            <body>
            <header>
            <h1>\(title)</h1>
            <p class="sub">\(escaped(names))</p>

            """
        if let banner = head.environmentBanner { html += "<p class=\"banner\">\(escaped(banner))</p>\n" }
        html += "<dl class=\"facts\">\n"
        for line in head.lines(text) where line.label != text.word("cover.project") {
            html += "<div><dt>\(escaped(line.label))</dt><dd>\(escaped(line.value))</dd></div>\n"
        }
        html += "</dl>\n<ul class=\"sums\">\n"
        for severity in Severity.allCases.reversed() {
            html +=
                """
                <li class=\"\(severity.rawValue)\"><b>\(tally.severities[severity] ?? 0)</b>\
                \(word("severity." + severity.rawValue))</li>\n
                """
        }
        if tally.accepted > 0 { html += "<li><b>\(tally.accepted)</b>\(word("report.accepted"))</li>\n" }
        return html + "</ul>\n</header>\n<main>\n"
    }

    private var form: String {
        func options(_ pairs: [(value: String, label: String)]) -> String {
            "<option value=\"\">\(word("cover.all"))</option>"
                + pairs.map { "<option value=\"\(escaped($0.value))\">\(escaped($0.label))</option>" }.joined()
        }
        func select(_ name: String, _ label: String, _ pairs: [(value: String, label: String)]) -> String {
            "<label>\(label)<select name=\"\(name)\">\(options(pairs))</select></label>\n"
        }
        let severities = Severity.allCases.reversed().compactMap { severity in
            tally.severities[severity].map {
                (severity.rawValue, "\(text.word("severity." + severity.rawValue)) (\($0))")
            }
        }
        let projects = tally.projects.sorted { $0.key < $1.key }.map { code, counts in
            let name = head.projects.first { $0.code == code }?.name ?? code
            return (code, (name == code ? code : "\(code) · \(name)") + " (\(counts.values.reduce(0, +)))")
        }
        // A code with two severities is one choice of the filter.
        var counts: [String: Int] = [:]
        for entry in tally.entries { counts[entry.code, default: 0] += entry.count }
        let codes = counts.sorted { $0.key < $1.key }.map { ($0.key, "\($0.key) (\($0.value))") }
        return
            """
            <form id=\"filters\" hidden>\n<label class=\"wide\">\(word("report.search"))<input type=\"search\" \
            name=\"search\" autocomplete=\"off\"></label>\n
            """
            + select("project", word("cover.project"), projects)
            + select("severity", word("cover.severity"), severities)
            + select("code", word("cover.code"), codes)
            + "<button type=\"reset\">\(word("report.clear"))</button>\n"
            + "<output id=\"shown\" aria-live=\"polite\" data-text=\"\(word("report.shown"))\"></output>\n</form>\n"
    }

    private var bottom: String {
        """
        </main>\n<footer><p>\(word("report.footer", ["program": head.programVersion, "time": head.madeAt]))</p></\
        footer>\n
        """
            + (tally.total > 0 ? "<script>\(PageScript.javascript)</script>\n" : "") + "</body>\n</html>\n"
    }

    // MARK: The findings

    private func writeSections(_ source: any FindingSource) throws {
        var open: (severity: Severity, code: String)?
        var seen = 0
        try source.forEach { reported in
            let finding = reported.finding
            if open == nil || open?.severity != finding.severity || open?.code != finding.code {
                if open != nil { try write(Self.sectionEnd) }
                open = (finding.severity, finding.code)
                seen = 0
                try write(sectionStart(finding))
            }
            seen += 1
            guard seen <= limits.findings else { return }
            let strip = seen <= limits.pictures ? try source.strip(of: finding) : nil
            try write(row(reported, strip))
        }
        if open != nil { try write(Self.sectionEnd) }
    }

    private func sectionStart(_ finding: Finding) -> String {
        let count = tally.count(finding.severity, finding.code)
        var html = "<section data-code=\"\(escaped(finding.code))\" data-severity=\"\(finding.severity.rawValue)\">\n"
        html +=
            """
            <h2><span class=\"badge \
            \(finding.severity.rawValue)\">\(word("severity." + finding.severity.rawValue))</span>
            """
        html +=
            """
            <span>\(escaped(text.title(of: finding.code)))</span><code>\(escaped(finding.code))</code><span \
            class=\"count\">× \(count)</span></h2>\n
            """
        if count > limits.findings {
            html +=
                """
                <p \
                class=\"more\">\(word("report.first", ["shown": String(limits.findings), "count": String(count)]))</p>\n
                """
        }
        html += "<table><thead><tr><th class=\"place\">\(word("report.place"))</th><th>\(word("cover.what"))</th>"
        return html
            + "<th class=\"strip\"></th><th class=\"print\">\(word("report.fingerprint"))</th></tr></thead><tbody>\n"
    }

    private static let sectionEnd = "</tbody></table>\n</section>\n"

    private func row(_ reported: PlacedFinding, _ strip: StrataStrip?) -> String {
        let finding = reported.finding
        var html = "<tr data-finding"
        if let project = reported.project { html += " data-project=\"\(escaped(project))\"" }
        html += "><td>" + place(finding) + "</td><td><p>\(escaped(text.message(of: finding)))</p>"
        let remedy = text.remedy(of: finding)
        if !remedy.isEmpty { html += "<p class=\"remedy\">\(escaped(remedy))</p>" }
        if let acceptance = text.acceptance(of: finding) {
            html += "<p class=\"accepted\"><b>\(word("report.accepted_one"))</b> \(escaped(acceptance))</p>"
        }
        html += "</td><td>"
        if let strip, let picture = StripPicture(strip) {
            html += picture.svg(label: text.word("report.strip", ["record": strip.title]))
        }
        return html + "</td><td class=\"print\"><code>\(finding.fingerprint)</code></td></tr>\n"
    }

    /// The place: the row's key, then table, field and, for files, the position in the file.
    private func place(_ finding: Finding) -> String {
        let place = finding.place
        var html = ""
        if let key = place.key ?? place.id { html += "<p class=\"key\">\(escaped(key))</p>" }
        var parts = [text.table(of: finding), text.field(of: finding), place.file, place.sheet, place.cell].compactMap {
            $0
        }
        if let line = place.line { parts.append(place.column.map { "\(line):\($0)" } ?? String(line)) }
        if let pointer = place.pointer, !pointer.isEmpty { parts.append(pointer) }
        if !parts.isEmpty { html += "<p class=\"where\">\(escaped(parts.joined(separator: " · ")))</p>" }
        return html
    }

    // MARK: Words

    private func word(_ key: String, _ arguments: [String: String] = [:]) -> String {
        escaped(text.word(key, arguments))
    }
    private func escaped(_ text: String) -> String { PageText.escaped(text) }

    /// The hash by which the policy allows a style or script (CSP 3, section 2.3.1).
    static func hash(_ text: String) -> String {
        "sha256-" + Data(SHA256.digest(of: text).bytes).base64EncodedString()
    }
}

/// The script of a page of findings: search, filters, and their state in the URL's fragment. The
/// script contains no translated text and no data. Without the script, the page shows all its
/// findings.
enum PageScript {
    static let javascript = """
        (function () {
          "use strict";
          var form = document.getElementById("filters"), output = document.getElementById("shown");
          var names = ["search", "project", "severity", "code"];
          var fields = names.map(function (name) { return form.elements.namedItem(name); });
          var rows = Array.prototype.slice.call(document.querySelectorAll("tr[data-finding]")).map(function (row) {
            var section = row.closest("section");
            return { row: row, section: section, project: row.dataset.project || "", severity: section.dataset.severity,
                     code: section.dataset.code, text: "" };
          });
          var sections = Array.prototype.slice.call(document.querySelectorAll("section[data-code]"));
          function fold(text) { return text.normalize("NFD").replace(/[\\u0300-\\u036f]/g, "").toLowerCase(); }
          function apply() {
            var values = fields.map(function (field) { return field.value; });
            var words = fold(values[0]).split(/\\s+/).filter(Boolean);
            var shown = 0, alive = new Set();
            rows.forEach(function (entry) {
              if (words.length && !entry.text) { entry.text = fold(entry.code + " " + entry.row.textContent); }
              var fits = (!values[1] || entry.project === values[1]) && (!values[2] || entry.severity === values[2])
                && (!values[3] || entry.code === values[3])
                && words.every(function (word) { return entry.text.indexOf(word) >= 0; });
              entry.row.hidden = !fits;
              if (fits) { shown += 1; alive.add(entry.section); }
            });
            sections.forEach(function (section) { section.hidden = !alive.has(section); });
            output.dataset.count = String(shown);
            output.textContent = output.dataset.text.replace("{shown}", String(shown)).replace("{total}", \
        String(rows.length));
          }
          function remember() {
            var parts = [];
            names.forEach(function (name, index) {
              if (fields[index].value) { parts.push(name + "=" + encodeURIComponent(fields[index].value)); }
            });
            try { history.replaceState(null, "", "#" + parts.join("&")); } catch (error) { /* some viewers have no \
        history */ }
          }
          function recall() {
            var stated = new URLSearchParams(location.hash.slice(1));
            names.forEach(function (name, index) {
              fields[index].value = stated.get(name) || "";
              if (fields[index].value !== (stated.get(name) || "")) { fields[index].value = ""; }
            });
            apply();
          }
          form.addEventListener("input", function () { apply(); remember(); });
          form.addEventListener("submit", function (event) { event.preventDefault(); });
          form.addEventListener("reset", function () { setTimeout(function () { apply(); remember(); }, 0); });
          window.addEventListener("hashchange", recall);
          form.hidden = false;
          recall();
        })();

        """
}
