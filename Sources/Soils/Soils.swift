// Into Soils come results of a laboratory: grading by sieves and limits of Atterberg; out of it come
// the classifications of two norms. It knows the norms, and nothing of records.
