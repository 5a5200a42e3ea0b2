// Classifies soils by two norms, from laboratory results: grading by sieves and Atterberg limits.
// The folder knows the norms, and nothing of records.
