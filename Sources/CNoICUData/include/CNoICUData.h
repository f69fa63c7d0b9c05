// Nothing to call: see NoICUData.c.
