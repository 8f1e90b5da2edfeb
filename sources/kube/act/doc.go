// Package act executes the actions of package actions in a cluster. It changes
// objects (change.go), each identified by its UID, and explains a refusal in
// one line (changefailure.go). It applies edited YAML (edit.go), whose masks
// never reach the server (editmask.go). It copies files as archives through a
// command in the container (copy.go), forwards ports (forward.go) over a
// tunnel that it reopens when it breaks and closes with its pod, runs commands
// and terminals (exec.go), and reviews rights (access.go).
package act
