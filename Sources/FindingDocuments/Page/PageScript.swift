/// The script of a page of findings: search, filters, and their state in the address. It has no
/// text of any language and no data. Without it the page shows everything.
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
            output.textContent = output.dataset.text.replace("{shown}", String(shown)).replace("{total}", String(rows.length));
          }
          function remember() {
            var parts = [];
            names.forEach(function (name, index) {
              if (fields[index].value) { parts.push(name + "=" + encodeURIComponent(fields[index].value)); }
            });
            try { history.replaceState(null, "", "#" + parts.join("&")); } catch (error) { /* some viewers have no history */ }
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
