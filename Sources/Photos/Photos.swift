// Into Photos come a folder and the name of a photo; out of it come its size, time and place, or
// what is wrong with the file. It knows JPEG and Exif, and nothing of records.
