// Reads outlines as points in metres; computes areas, centroids and crossings, and whether a point
// lies inside. It knows nothing else.
