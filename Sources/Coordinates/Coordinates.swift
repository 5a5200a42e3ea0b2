// Converts geographic positions to UTM coordinates, and back. The code uses PROJ and knows nothing
// of records.
