// Into Expressions come a checked expression of a pack; out of it come a program that judges or
// computes over rows. It knows the words of Model, and nothing of where rows come from.
