package act

import (
	"regexp"
	"strings"

	"github.com/traintop/traintop/sources/kube/client"
)

// execError is the meaning of the error texts with which kubelets and container
// runtimes refuse to run a command.
type execError uint8

const (
	unknownWord execError = iota
	noSuchProgram
	notExecutable
	notRunning
	noSuchPod
	kubeletAway
)

// refusals are literal parts of those texts, in order of priority: the first
// match decides.
var refusals = []struct {
	part string
	word execError
}{
	// Go's os/exec in runc, all versions: exec: "bash": executable file not found in $PATH.
	// crun 1.x: executable file `bash` not found in $PATH: No such file or directory.
	{"not found in $PATH", noSuchProgram},
	// crun 1.x, for a path: executable file `/bin/bash` not found: No such file or directory.
	{"` not found: No such file or directory", noSuchProgram},
	// gVisor: error finding executable "bash" in PATH [...]: no such file or directory.
	{"error finding executable", noSuchProgram},
	// Go's os/exec: the file exists, but is no program for this machine or not
	// executable.
	{"exec format error", notExecutable},
	{": permission denied", notExecutable},
	// kubelet 1.36, pkg/kubelet/kubelet_pods.go, GetExec and GetAttach.
	{"container not found (", notRunning},
	// runc, libcontainer/container_linux.go; containerd 1.7 and 2, init_state.go (stopped, deleted state).
	{"cannot exec in a stopped", notRunning},
	{"cannot exec in a deleted", notRunning},
	{"cannot exec a container that has", notRunning},
	// containerd 2.1, internal/cri/server/container_execsync.go.
	{"container is in CONTAINER_", notRunning},
	// CRI-O 1.33, server/container_exec.go.
	{"container is not created or running", notRunning},
	// Docker 27 and cri-dockerd: Container 4f0c... is not running; container not running (4f0c...).
	{" is not running", notRunning},
	{"container not running (", notRunning},
	// kubelet 1.36, pkg/kubelet/server/server.go.
	{"pod does not exist", noSuchPod},
	// kube-apiserver 1.36, pkg/registry/core/pod/strategy.go, and Go's net
	// errors about the kubelet's port.
	{"does not have a host assigned", notRunning},
	{"error dialing backend", kubeletAway},
	{"dial tcp", kubeletAway},
	{"No agent available", kubeletAway}, // konnectivity 0.33
}

// noFile matches the error of runc (exec: "/bin/bash": stat /bin/bash: no such
// file or directory) and Kata for a missing file.
var noFile = regexp.MustCompile(`exec: \\*"[^"]*": (?:stat |open )?.*no such file or directory|the file \S+ was not found`)

func execErrorOf(text string) execError {
	if strings.Contains(text, "chdir to cwd") {
		return unknownWord // runc 1.1: the container's working directory, not the program
	}
	if noFile.MatchString(text) {
		return noSuchProgram
	}
	for _, refusal := range refusals {
		if strings.Contains(text, refusal.part) {
			return refusal.word
		}
	}
	return unknownWord
}

// startFailures match the start of what some runtimes print instead of the
// command's output if they cannot start it: Docker (cri-dockerd, exit code 126
// or 127) and CRI-O, which passes on the output of runc or crun (255, with
// crun also 1). Lines recorded from OpenShift 4: `time="2022-07-23T01:42:51Z"
// level=error msg="exec failed: unable to start container process: exec:
// \"tar\": executable file not found in $PATH"`, `ERRO[0000] exec failed:
// ...`, "executable file `netstat` not found in $PATH: No such file or
// directory".
var startFailures = regexp.MustCompile(`^(?:time="[^"]*" level=error msg="|ERRO\[\d+\] |Error: |crun: |runc: )*` +
	"(?:OCI runtime exec failed: |rpc error: code = \\d+ desc = oci runtime error: |exec failed: |executable file `)")

// startFailure returns a runtime's message that it could not start a command,
// "" if the output is the command's own.
func startFailure(code int, head []byte) string {
	if code != 1 && code < 126 || len(head) == 0 || !startFailures.Match(head) {
		return ""
	}
	said := client.Printable(string(head))
	if w := execErrorOf(said); w != noSuchProgram && w != notExecutable {
		return ""
	}
	return said
}

// prefixes are those that each hop puts before an error.
var prefixes = []string{
	"Internal error occurred: ", "error executing command in container: ", "error attaching to container: ", "error executing remote command: ",
	"unable to upgrade connection: ", "unable to upgrade streaming request: ", "failed to exec in container: ",
	"OCI runtime exec failed: ", "exec failed: ", "unable to start container process: ",
}

var startOf = regexp.MustCompile(`^failed to (?:start|create) exec "[0-9a-f]*": `)

// withoutPrefixes returns the meaningful part of an error.
func withoutPrefixes(said string) string {
	for again := true; again; {
		again = false
		for _, prefix := range prefixes {
			if rest, cut := strings.CutPrefix(said, prefix); cut {
				said, again = rest, true
			}
		}
		if at := startOf.FindString(said); at != "" {
			said, again = said[len(at):], true
		}
	}
	return said
}
