// swift-tools-version: 6.2
import PackageDescription

// Every target is held to the same rules: language mode 6, warnings are errors, unsafe code is marked.
let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error),
    .strictMemorySafety(),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    // What is released is compiled once, for the program and for its tests.
    .unsafeFlags(["-enable-testing"], .when(configuration: .release)),
]

// Tests are run once, so optimising them takes longer than it saves.
let tested: [SwiftSetting] = strict + [.unsafeFlags(["-Onone"], .when(configuration: .release))]

// The program that is released runs without Swift: its libraries are linked into it. The last ones are those that
// Foundation's static library needs.
let whole: [LinkerSetting] = [
    .unsafeFlags(
        ["-static-stdlib", "-lFoundation", "-lCoreFoundation", "-lFoundationInternationalization", "-lFoundationEssentials", "-l_FoundationCShims", "-l_FoundationCollections", "-l_FoundationICU"],
        .when(configuration: .release))
]

/// A stage of the pipeline: it knows the words of `Model` and whatever libraries it needs, never another stage.
func stage(_ name: String, _ libraries: Target.Dependency...) -> Target {
    .target(name: name, dependencies: ["Model"] + libraries, swiftSettings: strict)
}

/// The tests of one target, beside whatever other targets they need to set the scene.
func tests(of name: String, _ others: Target.Dependency...) -> Target {
    .testTarget(
        name: name + "Tests", dependencies: [.target(name: name), "Workbench"] + (name == "Model" ? [] : ["Model"]) + others,
        path: "Tests/" + name, exclude: name == "Schemas" ? ["Cases", "failing-optional-tests.txt"] : ["Exporting", "Drawing"].contains(name) ? ["Goldens"] : [], swiftSettings: tested)
}

/// A C library of Debian's: a module map and a shim, nothing else.
func system(_ name: String, _ pkgConfig: String, _ debian: String) -> Target {
    .systemLibrary(name: name, pkgConfig: pkgConfig, providers: [.apt([debian])])
}

let package = Package(
    name: "fichero",
    products: [
        .executable(name: "fichero", targets: ["fichero"]),
        // Only for tests, which load it into the program.
        .library(name: "BreakingCalls", type: .dynamic, targets: ["BreakingCalls"]),
    ],
    dependencies: [
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/hummingbird-project/swift-mustache", from: "2.1.1"),
    ],
    targets: [
        system("CLibXML2", "libxml-2.0", "libxml2-dev"),
        system("CXLSXWriter", "xlsxwriter", "libxlsxwriter-dev"),
        system("CMinizip", "minizip", "libminizip-dev"),
        system("CPCRE2", "libpcre2-8", "libpcre2-dev"),
        system("CYAJL", "yajl", "libyajl-dev"),
        system("CZlib", "zlib", "zlib1g-dev"),
        system("CISAL", "libisal", "libisal-dev"),
        system("CQRencode", "libqrencode", "libqrencode-dev"),
        system("CNettle", "nettle", "nettle-dev"),
        system("CPROJ", "proj", "libproj-dev"),
        system("CCairo", "pangocairo", "libpango1.0-dev"),
        system("CPQ", "libpq", "libpq-dev"),
        system("CCurl", "libcurl", "libcurl4-openssl-dev"),
        system("CTurboJPEG", "libturbojpeg", "libturbojpeg0-dev"),
        system("COpenSSL", "libcrypto", "libssl-dev"),
        system("CQPDF", "libqpdf", "libqpdf-dev"),
        // Declarations that glibc hides.
        .systemLibrary(name: "CLinuxCalls"),
        // One call that Swift cannot make.
        .systemLibrary(name: "CSQLiteSetup", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),

        .target(name: "Model", dependencies: ["Digests"], swiftSettings: strict),
        // One safe wrapper for each C library that several stages need.
        .target(name: "Digests", dependencies: ["CNettle"], swiftSettings: strict),
        .target(name: "Patterns", dependencies: ["CPCRE2"], swiftSettings: strict),
        .target(name: "JSONReading", dependencies: ["Model", "Digests", "CYAJL"], swiftSettings: strict),
        .target(name: "Schemas", dependencies: ["Model", "JSONReading", "Patterns"], swiftSettings: strict),
        .target(name: "Zipping", dependencies: ["CMinizip", "CZlib"], swiftSettings: strict),
        .target(
            name: "Spreadsheets",
            dependencies: ["Model", "OutputFiles", "Zipping", "CXLSXWriter", "Counting", "Digests"],
            swiftSettings: strict),
        .target(name: "QRCodes", dependencies: ["CQRencode"], swiftSettings: strict),
        .target(name: "Coordinates", dependencies: ["CPROJ"], swiftSettings: strict),
        .target(name: "PDFArchive", dependencies: ["Zipping", "Digests"], swiftSettings: strict),
        .target(name: "Canvas", dependencies: ["PDFArchive", "Zipping", "CCairo", "CTurboJPEG"], swiftSettings: strict),
        .target(name: "Drawing", dependencies: ["Model", "Canvas", "Blocks"], swiftSettings: strict),
        // What several stages need and no library has.
        .target(name: "Geometry", swiftSettings: strict),
        // Classifications of soils by two norms.
        .target(name: "Soils", swiftSettings: strict),
        .target(
            name: "OutputFiles", dependencies: ["Model", "Zipping", "Counting", "Digests"], swiftSettings: strict),
        // What statements that define tables declare.
        .target(name: "SQLReading", swiftSettings: strict),
        // The one safe wrapper of SQLite's statements; databases that are made for others.
        .target(name: "Databases", dependencies: ["Model", "OutputFiles", .product(name: "GRDBSQLite", package: "GRDB.swift")], swiftSettings: strict),
        .target(name: "Photos", dependencies: ["Model", "Digests"], swiftSettings: strict),

        // What a report's blocks are: their keys, which `Packs` checks, and what they make of rows, which `Reporting` draws.
        .target(name: "Blocks", dependencies: ["Model", "Photos", "JSONReading", "Digests", .product(name: "Mustache", package: "swift-mustache")], swiftSettings: strict),

        // Counts what a source holds, and what a library wrote: it shares no code with readers and writers.
        stage("Counting", "CLibXML2", "CISAL", .product(name: "GRDBSQLite", package: "GRDB.swift")),

        stage("Packs", "Blocks", "Patterns", "Yams", "Digests"),
        stage("Replica", "Databases", "JSONReading", "Geometry", "Coordinates", "Soils", "Digests", "CSQLiteSetup", .product(name: "GRDB", package: "GRDB.swift"), .product(name: "GRDBSQLite", package: "GRDB.swift")),
        stage(
            "Importing", "Databases", "SQLReading", "JSONReading", "Patterns", "Zipping", "Geometry", "Photos", "CLibXML2", "CLinuxCalls",
            .product(name: "GRDBSQLite", package: "GRDB.swift"),
            "Digests"),
        // What helps to write mappings and packs: no import needs it.
        stage("Suggesting", "Importing", "SQLReading", "Patterns"),
        stage("Validating", "JSONReading", "Patterns", "Schemas", "Photos", "Coordinates", "Digests"),
        // The one safe wrapper of PostgreSQL's client.
        .target(name: "Postgres", dependencies: ["Model", "CPQ"], swiftSettings: strict),
        // The one safe wrapper of libcurl.
        .target(name: "Web", dependencies: ["Model", "CCurl"], swiftSettings: strict),
        stage("Remotes", "Postgres", "Web", "JSONReading", "Digests"),
        .target(name: "ServerSchema", dependencies: ["Model"], swiftSettings: strict),
        stage("FindingDocuments", "OutputFiles", "Spreadsheets", "JSONReading", "Canvas", "Drawing", "Digests"),
        stage("Exporting", "OutputFiles", "Spreadsheets", "Databases", "JSONReading", "Zipping", "CLibXML2", "Digests"),
        stage("Reporting", "OutputFiles", "Spreadsheets", "PDFArchive", "QRCodes", "Canvas", "Drawing", "Blocks", "Counting"),
        stage("Recording", "OutputFiles", "Digests"),
        // The one safe wrapper of OpenSSL, and of qpdf.
        stage("Signing", "PDFArchive", "Zipping", "Canvas", "Web", "Digests", "COpenSSL", "CQPDF"),
        // Connects the rooms, for any door.
        .target(
            name: "Pipeline",
            dependencies: [
                "Model", "Blocks", "Packs", "Replica", "Importing", "Validating", "FindingDocuments", "Exporting",
                "Reporting", "Recording", "Signing", "Counting", "Remotes", "Postgres", "OutputFiles", "Canvas",
                "JSONReading", "Photos", "Yams", "Digests",
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: strict),
        .target(
            name: "CommandLineTool",
            dependencies: [
                "Pipeline", "Model", "Blocks", "Packs", "Replica", "Importing", "Suggesting", "Validating",
                "FindingDocuments", "Exporting", "Reporting", "Recording", "Signing", "ServerSchema", "Postgres", "Web", "OutputFiles",
                "JSONReading", "Yams", "Digests",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: strict, plugins: ["CommandList"]),
        // Lists the commands by the names of their files.
        .plugin(name: "CommandList", capability: .buildTool()),
        .executableTarget(name: "fichero", dependencies: ["CommandLineTool"], swiftSettings: strict, linkerSettings: whole),

        // What the tests share: folders that go away with them, and the other programs that read what ours write.
        .target(
            name: "Workbench", dependencies: ["Model", "Packs", "Postgres", "Canvas", "CLinuxCalls"], path: "Tests/Workbench", exclude: ["stand-in"],
            swiftSettings: tested),
        // Offices that sync while things go wrong (Scripts/simulate-sync). A program, so that it runs as fast as the one that is released.
        .executableTarget(
            name: "simulate-sync",
            dependencies: ["Pipeline", "Importing", "Replica", "Packs", "Remotes", "Postgres", "ServerSchema", "Workbench", .product(name: "ArgumentParser", package: "swift-argument-parser")],
            path: "Tests/Simulation", swiftSettings: strict),
        // What makes one call of the program fail, or ends it there.
        .target(name: "BreakingCalls", path: "Tests/BreakingCalls"),
        tests(of: "Model", .product(name: "GRDBSQLite", package: "GRDB.swift")),
        tests(of: "Digests"),
        tests(of: "Patterns"),
        tests(of: "SQLReading"),
        tests(of: "JSONReading"),
        tests(of: "Schemas", "JSONReading"),
        tests(of: "Zipping"),
        tests(of: "Coordinates"),
        tests(of: "Databases", .product(name: "GRDBSQLite", package: "GRDB.swift")),
        tests(of: "PDFArchive"),
        tests(of: "QRCodes"),
        tests(of: "Canvas", "PDFArchive"),
        tests(of: "Drawing", "Canvas", "Blocks"),
        tests(of: "Geometry"),
        tests(of: "Soils"),
        tests(of: "Photos"),
        tests(of: "Packs", "Schemas", "JSONReading"),
        tests(of: "Replica", "Databases", "Packs", "Validating", "Photos"),
        tests(
            of: "Importing", "Suggesting", "Packs", "JSONReading", "Geometry",
            .product(name: "GRDBSQLite", package: "GRDB.swift")),
        tests(of: "Counting", "Importing", "Packs", "Pipeline"),
        tests(of: "Validating", "Replica", "Packs", "JSONReading", "Schemas", .product(name: "GRDBSQLite", package: "GRDB.swift")),
        tests(of: "ServerSchema", "Packs"),
        tests(of: "Postgres"),
        tests(of: "Web"),
        tests(of: "Remotes", "Packs", "Postgres", "Web", "JSONReading", "ServerSchema", "Replica"),
        tests(of: "OutputFiles", "Digests", "Zipping", "Counting"),
        tests(of: "Spreadsheets"),
        tests(of: "FindingDocuments", "Packs", "JSONReading", "Spreadsheets", "Drawing"),
        tests(of: "Exporting", "Packs", "OutputFiles", "Spreadsheets"),
        tests(of: "Blocks", "Photos"),
        tests(of: "Reporting", "Blocks", "OutputFiles", "Canvas", "Counting"),
        tests(of: "Recording"),
        tests(of: "Signing", "Web"),
        tests(
            of: "Pipeline", "Blocks", "Importing", "Counting", "Packs", "Replica",
            .product(name: "Logging", package: "swift-log")),
        tests(
            of: "CommandLineTool", "Pipeline",
            .product(name: "ArgumentParser", package: "swift-argument-parser")),
        // Runs the built program, as people and cron do.
        .testTarget(
            name: "EndToEndTests", dependencies: ["Model", "Packs", "Workbench"], path: "Tests/EndToEnd", exclude: ["Reporting/Goldens", "Reporting/Extremes"],
            swiftSettings: tested),
    ]
)

// libFuzzer's entry point is no program and no test: it is there only when asked for (Scripts/fuzz). It cannot be a package of its own,
// for what it calls has `package` access.
if Context.environment["FICHERO_FUZZING"] == "1" {
    package.targets.append(
        .executableTarget(
            name: "Fuzzing", dependencies: ["Model", "Packs", "Importing", "Counting", "JSONReading", "Zipping", "Photos", "Schemas", "Patterns"], path: "Tests/Fuzzing",
            swiftSettings: strict + [.unsafeFlags(["-parse-as-library"])]))
}
