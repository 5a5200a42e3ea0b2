// Reads photos from a folder: size, time and place of each, or the fault of its file. The code
// knows JPEG and Exif, and nothing of records.
