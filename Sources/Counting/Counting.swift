// Into Counting come a source file, and what was read of it; out of it come how much each of its
// tables holds, and every difference. It knows the formats as their documents describe them, and no
// line of the readers' code.
