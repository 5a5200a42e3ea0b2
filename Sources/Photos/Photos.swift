// Reads a photo in a folder: its size, time and place, or the fault of the file. It knows JPEG and
// Exif, and nothing of records.
