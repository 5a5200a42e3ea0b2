import Counting
import Foundation
import Importing
import Model
import Testing
import Workbench

/// Other programs write random files. The reader's tally is equal to the count in every column, and
/// both agree with what Python wrote.
@Suite struct RandomFileTests {
    /// Python code that makes random rows of numbers, texts, spaces and empty values.
    private static let rows = """
        import csv, json, random, sys, struct, sqlite3
        seed = int(sys.argv[1]); out = sys.argv[2]
        r = random.Random(seed)
        words = ['pozo', 'arcilla limosa, húmeda', 'dice "sí"', 'línea\\nsegunda', ' ', '  con espacios ', "d'agua", 'a;b|c\\td', '漢字 😀', 'N/A', '-', '1.234,5', '.', '=1+1', '<&>']
        def cell():
            k = r.random()
            if k < 0.25: return None
            if k < 0.4: return r.randint(-10**6, 10**6)
            if k < 0.6: return round(r.uniform(-1000, 1000), r.randint(1, 4))
            if k < 0.65: return r.choice([0, 0.5, -0.25, 10**12])
            if k < 0.7: return str(r.randint(0, 10**r.randint(1, 20)))
            if k < 0.75: return ('%.3f' % r.uniform(-50, 50)).replace('.', ',')
            return r.choice(words) * r.choice([1, 1, 1, 40])
        width = r.randint(1, 30)
        table = [[cell() for _ in range(r.randint(0, width))] for _ in range(r.randint(1, 400))]
        """

    private func write(_ script: String, _ seed: Int, _ name: String, in folder: TemporaryFolder) throws -> String {
        let path = folder.file(name)
        let run = try OtherProgram.run("/usr/bin/python3", ["-c", Self.rows + "\n" + script, String(seed), path])
        try #require(run.status == 0, "\(run.text)")
        return path
    }

    @Test(arguments: ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1252"], [",", ";", "\t"])
    func csv(encoding: String, separator: String) throws {
        let folder = try TemporaryFolder()
        for seed in 1...4 {
            let path = try write(
                """
                enc, sep = '\(encoding)', '\(separator)'
                with open(out, 'w', newline='', encoding=enc, errors='replace') as f:
                    w = csv.writer(f, delimiter=sep, lineterminator=r.choice(['\\n', '\\r\\n', '\\r']), quoting=r.choice([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]))
                    w.writerow(['Código', 'Año de obra', 'n°'])
                    w.writerows(table)
                """, seed, "a.csv", in: folder)
            let file = try TableFiles.open(path: path, options: TableOptions(separator: separator.utf8.first))
            let options = try Evidence.options(file, path: path)
            let source = try SourceCounter.count(path: path, kind: "csv", options: options)
            #expect(CountComparison(reader: try Evidence.tallies(file), source: source).gaps == [], "\(encoding) \(seed)")
            // Python reads the file too, if its encoding can hold everything that was written.
            guard encoding.hasPrefix("utf") else { continue }
            let counted = try OtherProgram.python(
                """
                import csv, sys
                csv.field_size_limit(10**9)
                c = {}
                for row in csv.reader(open(sys.argv[1], newline='', encoding='\(encoding)'), delimiter='\(separator)'):
                    for i, v in enumerate(row):
                        if v != '': c[i] = c.get(i, 0) + 1
                print(' '.join(str(c.get(i, 0)) for i in range(max(c) + 1)))
                """, path)
            #expect(source.tables[0].columns.map { String($0.filled) }.joined(separator: " ") == counted)
        }
    }

    @Test func xlsx() throws {
        let folder = try TemporaryFolder()
        for seed in 1...12 {
            let path = try write(
                """
                import openpyxl, datetime, zipfile
                from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE
                book = openpyxl.Workbook(write_only=seed % 2 == 0)
                for name in ['Hoja & 1', 'Ñandú'][:1 + seed % 2]:
                    sheet = book.create_sheet(name)
                    for row in table:
                        sheet.append([datetime.datetime(2020, 1, 1) + datetime.timedelta(r.random() * 900) if r.random() < 0.05 else r.random() < 0.5 if r.random() < 0.05 else v for v in row])
                book.save(out)
                """, seed, "a.xlsx", in: folder)
            try Evidence.expectWhole(path)
            let counted = try OtherProgram.python(
                """
                import openpyxl, sys
                s = openpyxl.load_workbook(sys.argv[1], data_only=True).worksheets[-1]
                c = {}
                for row in s.iter_rows(values_only=True):
                    for i, v in enumerate(row):
                        if v is not None: c[i] = c.get(i, 0) + 1
                print(' '.join(str(c.get(i, 0)) for i in range(max(c) + 1)))
                """, path)
            let source = try SourceCounter.count(path: path, kind: "xlsx")
            let last = try #require(source.tables.last)
            #expect(last.columns.map { String($0.filled) }.joined(separator: " ") == counted, "\(seed)")
        }
    }

    @Test func xls() throws {
        let folder = try TemporaryFolder()
        for seed in 1...8 {
            let path = try write(
                """
                import xlwt, datetime
                book = xlwt.Workbook()
                day = xlwt.easyxf(num_format_str='DD/MM/YYYY')
                for name in ['Hoja 1', 'Ñandú']:
                    sheet = book.add_sheet(name)
                    for y, row in enumerate(table):
                        for x, v in enumerate(row):
                            if v is None: continue
                            if r.random() < 0.05: sheet.write(y, x, datetime.date(2020, 1, r.randint(1, 28)), day)
                            elif r.random() < 0.05: sheet.write(y, x, r.random() < 0.5)
                            elif r.random() < 0.05: sheet.write(y, x, '')
                            else: sheet.write(y, x, v)
                book.save(out)
                """, seed, "a.xls", in: folder)
            try Evidence.expectWhole(path)
        }
    }

    @Test func sqlite() throws {
        let folder = try TemporaryFolder()
        for seed in 1...6 {
            let path = try write(
                """
                import os
                if os.path.exists(out): os.remove(out)
                c = sqlite3.connect(out)
                c.execute('CREATE TABLE "ta""bla" (%s)' % ', '.join('"c %d"' % i for i in range(width)))
                for row in table:
                    row = [b'\\x00\\x01' if r.random() < 0.02 else '' if r.random() < 0.05 else float('inf') if r.random() < 0.01 else v for v in row]
                    c.execute('INSERT INTO "ta""bla" VALUES (%s)' % ','.join('?' * width), row + [None] * (width - len(row)))
                c.execute('CREATE TABLE vacia (a, b)')
                c.execute('CREATE TABLE doble (a INTEGER, b AS (a * 2))')
                c.executemany('INSERT INTO doble (a) VALUES (?)', [(1,), (None,), (2**62,)])
                c.execute('CREATE VIEW vista AS SELECT "c 0" AS x, "c 0" FROM "ta""bla"')
                c.commit()
                """, seed, "a.db", in: folder)
            try Evidence.expectWhole(path)
        }
    }

    /// The table has fields of each type, deleted records and blank memos.
    @Test func dbf() throws {
        let folder = try TemporaryFolder()
        for seed in 1...8 {
            let path = try write(
                """
                fields = [('NOMBRE', 'C', 20, 0), ('PROF', 'N', 12, 3), ('VALOR', 'F', 14, 2), ('FECHA', 'D', 8, 0), ('SECO', 'L', 1, 0), ('NOTA', 'M', 10, 0), ('ENTERO', 'I', 4, 0)]
                n = len(table)
                size = 1 + sum(f[2] for f in fields)
                head = struct.pack('<BBBBIHH20x', 0x83, 120, 1, 1, n, 32 + 32 * len(fields) + 1, size)
                for name, kind, length, decimals in fields:
                    head += name.encode().ljust(11, b'\\0') + kind.encode() + b'\\0' * 4 + bytes([length, decimals]) + b'\\0' * 14
                body = b''
                memo = bytearray(512); block = 1
                for _ in table:
                    body += b'*' if r.random() < 0.1 else b' '
                    body += r.choice(['', 'Pozo', ' Arcilla', 'x' * 20]).encode('cp850').ljust(20)
                    body += r.choice([b' ' * 12, b'%12.3f' % r.uniform(-99, 99), b'%12d' % r.randint(0, 99), b'************', b'          .5'])
                    body += r.choice([b' ' * 14, b'%14.2f' % r.uniform(-9e6, 9e6)])
                    body += r.choice([b' ' * 8, b'20200131', b'00000000', b'20201399'])
                    body += r.choice([b'T', b'F', b'?', b' ', b'x'])
                    text = r.choice([None, b'', b'   ', b'nota', b'larga ' * 200])
                    if text is None: body += r.choice([b' ' * 10, b'         0'])
                    else:
                        body += b'%10d' % block
                        data = text + b'\\x1a\\x1a'
                        data += b'\\0' * (-len(data) % 512)
                        memo += data; block += len(data) // 512
                    body += struct.pack('<i', r.randint(-2**31, 2**31 - 1))
                open(out, 'wb').write(head + b'\\r' + body + b'\\x1a')
                open(out[:-4] + '.DBT', 'wb').write(bytes(memo))
                """, seed, "a.DBF", in: folder)
            try Evidence.expectWhole(path)
        }
    }

    @Test func pages() throws {
        let folder = try TemporaryFolder()
        for seed in 1...8 {
            let path = try write(
                """
                import html
                def span():
                    return r.choice(['', '', '', ' colspan=2', ' rowspan="3"', " rowspan='2' colspan=3", ' colspan=x'])
                def content(v):
                    if v is None: return r.choice(['', ' ', '&nbsp;', '<br>'])
                    t = html.escape(str(v)).replace('\\n', '<br>')
                    return r.choice([t, '<b>' + t + '</b>', '<p>' + t + '</p>', '<table><tr><td>' + t + '</td><td>7</td></tr></table>' if r.random() < 0.1 else t])
                text = '<html><body>'
                for part in (table[:len(table) // 2], table[len(table) // 2:], []):
                    text += '<table>' + ''.join('<tr>' + ''.join('<td' + span() + '>' + content(v) + r.choice(['</td>', '']) for v in row) + r.choice(['</tr>', '']) for row in part) + '</table>'
                open(out, 'w', encoding='utf-8').write(text)
                """, seed, "a.html", in: folder)
            try Evidence.expectWhole(path)
        }
    }

    @Test func xml() throws {
        let folder = try TemporaryFolder()
        for seed in 1...8 {
            let path = try write(
                """
                from xml.sax.saxutils import escape, quoteattr
                text = '<?xml version="1.0"?><obras fecha="2020">'
                for row in table:
                    text += '<obra%s>' % (' codigo=' + quoteattr(str(r.randint(1, 99))) if r.random() < 0.9 else '')
                    text += '<datos><nombre>%s</nombre></datos>' % escape(str(row[0] if row else ''))
                    for v in row[1:]:
                        kind = r.choice(['pozo', 'nota', 'valor'])
                        v = escape('' if v is None else str(v))
                        text += '<pozo n="%s"><prof>%s</prof></pozo>' % (r.choice(['', '1']), v) if kind == 'pozo' else '<%s> %s </%s>' % (kind, v, kind)
                    text += '</obra>\\n'
                open(out, 'w', encoding='utf-8').write(text + '</obras>')
                """, seed, "a.xml", in: folder)
            try Evidence.expectWhole(path)
        }
    }
}
