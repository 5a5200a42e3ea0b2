// Into Databases come SQL statements, and rows for new databases; out of it come rows, and complete
// SQLite files for other programs. It knows SQLite's library, and nothing of packs, of exports or
// of the replica.
