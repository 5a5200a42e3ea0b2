import Foundation
import Testing

/// Points of a map become records by a mapping, with their place in degrees.
@Suite struct MapImportTests {
    private func feature(_ name: String, _ geometry: String) -> String {
        #"{"type": "Feature", "properties": {"Nombre": "\#(name)", "Categoria": "sports", "Inicio": "2026-01-05T14:00:00Z", "Lugar": "Parque"}, "geometry": \#(geometry)}"#
    }

    @Test func aPointIsAPlaceAndALineIsNone() throws {
        let office = try Office(system: "yaquedamos")
        let features = [
            feature("Caminata al mapa", #"{"type": "Point", "coordinates": [-74.061234, 4.65]}"#),
            feature("Feria del mapa", "null"),
            feature("Ruta del mapa", #"{"type": "LineString", "coordinates": [[-74, 4], [-75, 5]]}"#),
        ]
        try Data(#"{"features": [\#(features.joined(separator: ", "))], "type": "FeatureCollection"}"#.utf8).write(
            to: URL(fileURLWithPath: office.path("actividades.geojson")))
        let suggested = try office.run("import", "--suggest", office.path("actividades.geojson"), "--name", "mapa")
        #expect(suggested.status == 0 && suggested.output.contains("accepts: [geojson]"), "\(suggested.error)")
        for line in [
            "column: Nombre", "column: Inicio", #"latitude: {column: "geometry/latitude"}"#,
            #"longitude: {column: "geometry/longitude"}"#,
        ] {
            #expect(suggested.output.contains(line), "\(line): \(suggested.output)")
        }
        let mapping = """
            import: mapa
            title: Actividades de un mapa
            accepts: [geojson]
            tables:
              - requires: [Nombre, Inicio]
                rows:
                  - entity: activities
                    key: [community_id, name, starts_at]
                    fields:
                      name: {column: Nombre}
                      description: {column: Nombre}
                      category: {column: Categoria}
                      place_name: {column: Lugar}
                      is_public: {value: true}
                      starts_at: {column: Inicio}
                      latitude: {column: "geometry/latitude"}
                      longitude: {column: "geometry/longitude"}

            """
        try Data(mapping.utf8).write(to: URL(fileURLWithPath: office.path("mapa.yaml")))
        let code = try office.sql("SELECT min(code) FROM communities")
        let run = try office.run(
            "import", office.path("actividades.geojson"), "--mapping", office.path("mapa.yaml"), "--project", code,
            "--fail-on", "never")
        #expect(run.status == 0, "\(run.output)\(run.error)")
        let rows = try office.sql(
            "SELECT name, latitude, longitude FROM activities WHERE name LIKE '%mapa' ORDER BY name")
        #expect(rows == "Caminata al mapa|4.65|-74.061234\nFeria del mapa||", "\(rows)\n\(run.output)")
        // The line is an error of its row, not a place that somebody might take for one.
        #expect(run.output.contains("IMPORT-ERROR-CELL"))
        #expect(try office.sql("SELECT count(*) FROM rejects WHERE state = 'open'") == "1")
    }
}
