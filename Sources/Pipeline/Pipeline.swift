// Connects the rooms to do what a door asks for: imports, changes, files, syncs, undo, erasure. It takes a request and
// returns the outcome; a run holds the lock and keeps the journal. It knows no terminal and no command line: progress
// and questions go to a `RunDisplay`, which the door implements.
