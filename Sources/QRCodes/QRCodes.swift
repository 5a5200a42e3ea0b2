// Converts short texts to the dark squares of QR codes. It uses libqrencode, and knows nothing of
// pages.
