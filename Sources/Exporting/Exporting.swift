// Reads the rows of sheets and writes workbooks, CSV, XML and archives under temporary names. It
// knows how each program reads its format, and nothing of SQL or commands.

import Model
