// Into Databases come SQL, and tables with their rows for others; out of it come rows, and finished
// databases of SQLite. It knows SQLite's library, and nothing of packs, of exports or of the replica.
