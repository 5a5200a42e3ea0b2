// Files that appear only when they are complete: what every stage that writes files for people shares.
