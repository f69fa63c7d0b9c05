#ifndef CFAULTYCALLS_H
#define CFAULTYCALLS_H

// A library that is loaded in front of libc (LD_PRELOAD) into the program under test, and lets one of its calls that
// change files fail, or be its last. The program itself knows nothing of it.
//
// FAULTY_CALLS=PREFIX:NUMBER:KIND:FILE
//
// Calls on files whose path begins with PREFIX are counted from 1. At call NUMBER happens what KIND says:
//   kill  the process is killed before it
//   torn  the process is killed in the middle of it, if it writes; otherwise before it
//   once  it fails with EIO, the next one works again
//   full  it and all after it that need room fail with ENOSPC
//   stop  the process waits before it for a SIGCONT
//   lie   if it writes, it writes another byte and says that all is well
// At its end the process writes to FILE how many there were.
//
// FAULTY_CALLS_SEQUENCE=FILE: each of these calls adds a line to FILE, "NUMBER NAME PATH"; of two paths the new one.

#endif
