// Zipping
