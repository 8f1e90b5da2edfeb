// Package act carries out in a cluster what package actions has words for:
// changes of objects (change.go), each bound to the object that was meant by its
// UID and refused in one line that names the reason (changefailure.go); edits of
// YAML (edit.go), whose masks never reach the server (editmask.go); files, as
// archives through a command in the container (copy.go); ports (forward.go), over
// a tunnel that is made anew when it breaks and given up with its pod; commands
// and terminals (exec.go), and reviews of rights (access.go).
package act
