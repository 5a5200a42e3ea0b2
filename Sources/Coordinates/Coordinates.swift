// Converts geographic positions to places in the UTM grid, and back. It uses PROJ and knows nothing
// of records.
