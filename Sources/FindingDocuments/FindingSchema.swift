/// JSON Schema (draft 2020-12) of findings: of `validate --json`, and of `validate --report
/// FILE.json`, which also has an `about` member: pack, environment, projects, time.
package enum FindingSchema {
    package static let text = """
        {
          "$schema": "https://json-schema.org/draft/2020-12/schema",
          "$id": "urn:fichero:findings:1",
          "title": "Findings of Fichero",
          "type": "object",
          "required": ["summary", "findings"],
          "additionalProperties": false,
          "properties": {
            "about": {"$ref": "#/$defs/about"},
            "run": {"type": ["string", "null"], "description": "The run under which the replica keeps the findings."},
            "since": {"$ref": "#/$defs/since"},
            "summary": {"$ref": "#/$defs/summary"},
            "reports": {"type": "array", "items": {"$ref": "#/$defs/report"}},
            "findings": {"type": "array", "items": {"$ref": "#/$defs/finding"}},
            "mended": {"type": "array", "items": {"$ref": "#/$defs/finding"}, "description": "What the earlier run \
        found and is no longer there."}
          },
          "$defs": {
            "about": {
              "description": "What a file of findings is about.",
              "type": "object",
              "required": ["format", "pack", "packVersion", "environment", "program", "asOf", "language", "projects"],
              "properties": {
                "format": {"const": 1},
                "pack": {"type": "string"},
                "packVersion": {"type": "string"},
                "environment": {"type": "string"},
                "program": {"type": "string", "description": "Version of Fichero."},
                "asOf": {"type": "string", "format": "date-time"},
                "language": {"enum": ["es", "en", "it"], "description": "Of titles, messages, remedies and labels."},
                "projects": {"type": "array", "items": {"type": "string"}, "description": "Codes of the projects \
        that were checked."}
              }
            },
            "summary": {
              "description": "What was looked at and what came of it.",
              "type": "object",
              "required": ["rows", "findings", "judged", "hidden", "timedOut"],
              "properties": {
                "rows": {"type": "object", "additionalProperties": {"type": "integer", "minimum": 0}, \
        "description": "Rows checked, by table."},
                "findings": {"type": "object", "additionalProperties": {"type": "integer", "minimum": 1}, \
        "description": "Findings by code."},
                "severities": {"type": "object", "additionalProperties": {"type": "integer", "minimum": 0}, \
        "description": "Findings by severity."},
                "judged": {"type": "array", "items": {"type": "string"}, "description": "Rules that were judged \
        over every row."},
                "hidden": {"type": "array", "items": {"type": "string"}, "description": "Rules that need a field \
        that the actor may not see."},
                "timedOut": {"type": "array", "items": {"type": "string"}, "description": "Checks that took too long."}
              }
            },
            "since": {
              "description": "What became of the findings of an earlier validation.",
              "type": "object",
              "required": ["run", "asOf", "new", "mended", "remaining"],
              "properties": {
                "run": {"type": "string"},
                "asOf": {"type": "string"},
                "new": {"type": "integer", "minimum": 0},
                "mended": {"type": "integer", "minimum": 0},
                "remaining": {"type": "integer", "minimum": 0}
              }
            },
            "report": {
              "description": "A report that was written beside.",
              "type": "object",
              "required": ["path", "bytes", "sha256"],
              "properties": {
                "path": {"type": "string"},
                "bytes": {"type": "integer", "minimum": 0},
                "sha256": {"type": "string", "pattern": "^[0-9a-f]{64}$"}
              }
            },
            "finding": {
              "type": "object",
              "required": ["code", "severity", "title", "message", "remedy", "fingerprint", "place", "arguments"],
              "additionalProperties": false,
              "properties": {
                "code": {"type": "string", "pattern": "^[A-Z0-9]+(-[A-Z0-9]+)*$", "description": "Stable."},
                "severity": {"enum": ["note", "warning", "error"]},
                "title": {"type": "string", "description": "What the code is about."},
                "message": {"type": "string", "description": "What is wrong here, with the values, redacted where \
        they are private."},
                "remedy": {"type": "string", "description": "How to mend it."},
                "fingerprint": {"type": "string", "pattern": "^[0-9a-f]{32}$", "description": "The same from run to \
        run: code and place, not values."},
                "status": {"enum": ["new", "remaining"], "description": "Beside an earlier validation (--since)."},
                "project": {"type": "string", "description": "Code of the project that the row belongs to."},
                "place": {"$ref": "#/$defs/place"},
                "arguments": {"type": "object", "additionalProperties": {"type": "string"}, "description": "Values \
        of the message's placeholders."},
                "acceptance": {"$ref": "#/$defs/acceptance"}
              }
            },
            "place": {
              "description": "A row of the replica or a spot in a file; what is not known is absent.",
              "type": "object",
              "additionalProperties": false,
              "properties": {
                "table": {"type": "string"},
                "id": {"type": "string", "description": "The row's id."},
                "key": {"type": "string", "description": "The row's name for people."},
                "field": {"type": "string"},
                "label": {"type": "string", "description": "The field's name for people."},
                "file": {"type": "string"},
                "sheet": {"type": "string"},
                "cell": {"type": "string", "description": "A1 form."},
                "line": {"type": "integer", "minimum": 1},
                "column": {"type": "integer", "minimum": 1},
                "pointer": {"type": "string", "description": "JSON pointer or XPath."}
              }
            },
            "acceptance": {
              "description": "Somebody's word that the finding may stay for a while.",
              "type": "object",
              "required": ["reason", "actor", "acceptedAt", "until"],
              "additionalProperties": false,
              "properties": {
                "reason": {"type": "string"},
                "actor": {"type": "string"},
                "acceptedAt": {"type": "string"},
                "until": {"type": "string", "description": "The last day on which it holds."}
              }
            }
          }
        }

        """
}
