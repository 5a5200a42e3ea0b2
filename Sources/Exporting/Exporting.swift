// Into Exporting come sheets whose rows are still to be read; out of it come workbooks, CSV, XML
// and archives under temporary names. It knows how each program reads its format, and nothing of
// SQL or commands.

import Model
