// Into QRCodes come short texts; out of it come the dark squares of codes that cameras read. It knows
// libqrencode, and nothing of pages.
