import Foundation
package import Model

/// Small tables as one HTML page, without scripts or external files, readable on a screen and on
/// paper.
package struct TablePage {
    private let title: String
    private let facts: [(label: String, value: String)]
    private let tables: [PlainTable]
    private let language: Language

    package init(title: String, facts: [(label: String, value: String)], tables: [PlainTable], language: Language) {
        self.title = title
        self.facts = facts
        self.tables = tables
        self.language = language
    }

    package var text: String {
        var page = """
            <!DOCTYPE html>
            <html lang="\(language.rawValue)">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
            <title>\(Self.escaped(title))</title>
            <style>
            body { font: 15px/1.45 "Noto Sans", "DejaVu Sans", sans-serif; color: #1b1b1b; margin: 2rem auto; \
            max-width: 72rem; padding: 0 1rem; }
            h1 { font-size: 1.5rem; margin: 0 0 .75rem; } h2 { font-size: 1.1rem; margin: 2rem 0 .5rem; }
            dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem 1rem; margin: 0; } dt { color: \
            #595959; } dd { margin: 0; overflow-wrap: anywhere; }
            .wide { overflow-x: auto; } table { border-collapse: collapse; width: 100%; }
            th, td { border: 1px solid #c8c8c8; padding: .25rem .5rem; text-align: left; vertical-align: top; \
            overflow-wrap: break-word; }
            th { background: #d9e1f2; } .n { text-align: right; font-variant-numeric: tabular-nums; white-space: \
            nowrap; } th.n { white-space: normal; }
            .fault { background: #ffc7ce; color: #7d0006; font-weight: bold; } .sound { color: #1e6b2b; }
            @media print { body { margin: 0; max-width: none; } tr { break-inside: avoid; } }
            </style>
            </head>
            <body>
            <h1>\(Self.escaped(title))</h1>
            <dl>

            """
        for fact in facts { page += "<dt>\(Self.escaped(fact.label))</dt><dd>\(Self.escaped(fact.value))</dd>\n" }
        page += "</dl>\n"
        for table in tables { page += markup(table) }
        return page + "</body>\n</html>\n"
    }

    private func markup(_ table: PlainTable) -> String {
        var markup = "<h2>\(Self.escaped(table.title))</h2>\n<div class=\"wide\"><table>\n<thead><tr>"
        for column in table.columns {
            markup += "<th\(column.isNumber ? " class=\"n\"" : "")>\(Self.escaped(column.label))</th>"
        }
        markup += "</tr></thead>\n<tbody>\n"
        for row in table.rows {
            markup += "<tr>"
            for (cell, column) in zip(row, table.columns) {
                var classes = column.isNumber ? ["n"] : []
                let text: String
                switch cell {
                case .empty: text = ""
                case .text(let value): text = value
                case .number(let number): text = Self.text(of: number)
                case .fault(let value): (text, classes) = (value, classes + ["fault"])
                case .sound(let value), .marked(let value, .done, _): (text, classes) = (value, classes + ["sound"])
                case .marked(let value, _, _): (text, classes) = (value, classes + ["fault"])
                }
                markup +=
                    """
                    <td\(classes.isEmpty ? "" : " class=\"\(classes.joined(separator: " "))\"")>\
                    \(Self.escaped(text))</td>
                    """
            }
            markup += "</tr>\n"
        }
        return markup + "</tbody></table></div>\n"
    }

    /// The shortest form of a number, with a point before decimals, so that a reader can compare it
    /// with the source file.
    package static func text(of number: Double) -> String {
        number == number.rounded() && abs(number) < 1e15 ? String(Int64(number)) : String(number)
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;").replacing(
            "\"", with: "&quot;")
    }
}
