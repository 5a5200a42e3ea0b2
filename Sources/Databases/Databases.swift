// Into Databases come tables and their rows as they are to stand in a file; out of it come finished
// databases of SQLite, for others. It knows SQLite's library, and nothing of packs, of exports or of the
// replica, which is the only database that we read and change.
