// Into Geometry come outlines as points in metres; out of it come areas, centroids, crossings, and
// whether a point lies inside. It knows nothing else.
