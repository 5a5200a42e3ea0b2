// Reads outlines as points in metres; computes areas, centroids and crossings, and whether a point
// lies inside. The code knows nothing of files or records.
