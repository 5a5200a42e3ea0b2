// Classifies soils by two standards, from laboratory results: grading by sieves and Atterberg limits.
// The code depends on the standards only, not on records.
