package act

import (
	"strings"
	"testing"
	"unicode"
)

// Texts as kubectl showed them: https://github.com/containerd/containerd/issues/3597,
// kata-containers/kata-containers#8026, containerd/containerd#10755 and #6080,
// cri-o/cri-o and OpenShift as named beside the table in execerrors.go.
func TestWordOf(t *testing.T) {
	for text, want := range map[string]execError{
		`Internal error occurred: error executing command in container: failed to exec in container: failed to start exec "aebb309d4fd260b8973d5873f040c81dcf71dc08e6cf7823aa60b01264833e07": OCI runtime exec failed: exec failed: container_linux.go:345: starting container process caused "exec: \"sh\": executable file not found in $PATH": unknown`: noSuchProgram,
		`error executing command in container: failed to exec in container: failed to start exec "4f": OCI runtime exec failed: exec failed: unable to start container process: exec: "/bin/bash": stat /bin/bash: no such file or directory: unknown`:                                                                                                     noSuchProgram,
		"executable file `netstat` not found in $PATH: No such file or directory": noSuchProgram,
		"executable file `/bin/bash` not found: No such file or directory":        noSuchProgram,
		`failed to start exec "e9a1188509cc5c5d35f8e27733eac72aadfe5b4eb89c9ad4ef8a63e9db32cf5b": Others("failed to handler message handler request\n\nCaused by:\n    0: start process\n 4: rpc status: code: INTERNAL message: \"the file /bin/bash was not found\""): unknown`: noSuchProgram,
		`OCI runtime exec failed: exec failed: unable to start container process: exec: "/opt/run.sh": permission denied: unknown`:                                                                                                                                                notExecutable,
		`OCI runtime exec failed: exec failed: unable to start container process: exec: "/opt/tool": exec format error`:                                                                                                                                                           notExecutable,
		`OCI runtime exec failed: exec failed: unable to start container process: chdir to cwd ("/data") set in config.json failed: no such file or directory`:                                                                                                                    unknownWord,
		`unable to upgrade connection: container not found ("pytorch")`:                                                                                                                                                                                                           notRunning,
		`Internal error occurred: error executing command in container: failed to exec in container: failed to create exec "614075b3f467d1f9d4d2a48500e4a507ec1564d3996b3069a5553dcd7abf8fbe": cannot exec in a stopped state: unknown`:                                           notRunning,
		`failed to start exec "197d6f2104a143bfd0f7421cff2cf28956a6c1e0387856cbe4ba7ebd29209e2c": OCI runtime exec failed: exec failed: cannot exec in a stopped container: unknown`:                                                                                              notRunning,
		`Internal error occurred: error executing command in container: container is not created or running`:                                                                                                                                                                      notRunning,
		`failed to exec in container: container is in CONTAINER_EXITED state`:                                                                                                                                                                                                     notRunning,
		`Error response from daemon: container 7123f057d7f16376439e501a59f463940b8a68ea717a11fffa5dc030939411dc is not running`:                                                                                                                                                   notRunning,
		`unable to upgrade connection: pod does not exist`: noSuchPod,
		`Internal error occurred: error sending request: Post "https://10.0.0.7:10250/exec/ml/bert-0/pytorch?command=sh": dial tcp 10.0.0.7:10250: i/o timeout`: kubeletAway,
		`error dialing backend: remote error: tls: internal error`: kubeletAway,
		`Internal error occurred: something else`:                  unknownWord,
	} {
		if have := execErrorOf(text); have != want {
			t.Errorf("%q is %d, want %d", text, have, want)
		}
	}
}

// Some runtimes print why they could not start, and end with an exit code; a
// program's own output does not count as that.
func TestStartFailure(t *testing.T) {
	const (
		runc   = `time="2022-07-23T01:42:51Z" level=error msg="exec failed: unable to start container process: exec: \"tar\": executable file not found in $PATH"` + "\n"
		oc     = "ERRO[0000] exec failed: unable to start container process: exec: \"sqlcmd\": executable file not found in $PATH\n"
		crun   = "executable file `netstat` not found in $PATH: No such file or directory\n"
		docker = "OCI runtime exec failed: exec failed: unable to start container process: exec: \"bash\": executable file not found in $PATH: unknown\r\n"
		old    = "rpc error: code = 2 desc = oci runtime error: exec failed: container_linux.go:247: starting container process caused \"exec: \\\"bash\\\": executable file not found in $PATH\"\n"
	)
	f := func(code int, head string, want bool) {
		t.Helper()
		if have := startFailure(code, []byte(head)) != ""; have != want {
			t.Errorf("code %d, %q: %t, want %t", code, head, have, want)
		}
	}
	f(255, runc, true)
	f(255, oc, true)
	f(255, crun, true)
	f(1, crun, true)
	f(126, docker, true)
	f(127, docker, true)
	f(126, old, true)
	f(3, docker, false)
	f(1, "step 10 loss 2.1\n"+docker, false)
	f(1, "exec failed: out of memory\n", false)
	f(127, "sh: nvidia-smi: not found\n", false)
	f(1, "", false)
}

func TestWithoutPrefixes(t *testing.T) {
	const text = `Internal error occurred: Internal error occurred: error executing command in container: failed to exec in container: failed to start exec "4f0c6d": OCI runtime exec failed: exec failed: unable to start container process: exec: "x": exec format error`
	if have := withoutPrefixes(text); have != `exec: "x": exec format error` {
		t.Errorf("%q", have)
	}
}

// Whatever a runtime prints, the shown text is one plain line.
func FuzzStartFailure(f *testing.F) {
	f.Add(255, "ERRO[0000] exec failed: exec: \"x\x1b[31m\": executable file not found in $PATH\n")
	f.Add(126, "OCI runtime exec failed: \xff\x00 not found in $PATH")
	f.Fuzz(func(t *testing.T, code int, head string) {
		said := withoutPrefixes(startFailure(code, []byte(head)))
		if i := strings.IndexFunc(said, unicode.IsControl); i >= 0 {
			t.Errorf("%q has a control character", said)
		}
	})
}
