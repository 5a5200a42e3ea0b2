// JSONReading
