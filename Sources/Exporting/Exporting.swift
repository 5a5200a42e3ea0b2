// Reads the rows of sheets and writes workbooks, CSV, XML and archives under temporary names. The
// writers know how other programs read each format, and nothing of SQL or commands.

import Model
