#pragma once
#include <sqlite3.h>

// sqlite3_db_config takes a variable number of arguments, which Swift cannot pass.
static inline int meterfix_checkpoint_on_close(sqlite3 *database, int isOn) {
    return sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, !isOn, (int *)0);
}

// A defensive connection changes neither its schema table nor what a virtual table keeps, whatever the SQL says.
static inline int meterfix_set_defensive(sqlite3 *database, int isOn) {
    return sqlite3_db_config(database, SQLITE_DBCONFIG_DEFENSIVE, isOn, (int *)0);
}

// With an untrusted schema its views, triggers and defaults call no function that has an effect outside SQLite.
static inline int meterfix_trust_schema(sqlite3 *database, int isOn) {
    return sqlite3_db_config(database, SQLITE_DBCONFIG_TRUSTED_SCHEMA, isOn, (int *)0);
}

// Variadic, which Swift cannot call. Before SQLite's first use in the process, or it has no effect.
static inline int meterfix_without_memory_statistics(void) {
    return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}
