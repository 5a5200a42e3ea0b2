// Into Coordinates come geographic positions and places in a grid; out of it come the same places
// in the other form. It knows PROJ, and nothing of records.
