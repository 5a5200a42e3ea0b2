// Databases runs SQL statements and returns their rows, and writes rows into complete SQLite files
// for other programs. It uses SQLite's library, and knows neither packs nor exports nor the
// replica.
