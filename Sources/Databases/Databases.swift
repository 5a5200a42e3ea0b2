// Databases of SQLite that are made for others: tables and rows come in as they are to stand there, a finished file goes out. It knows nothing of
// packs, of exports, or of the replica, which is the only database that we read and change.
