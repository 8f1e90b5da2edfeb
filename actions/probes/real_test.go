package probes

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/traintop/traintop/actions"
)

// here runs a command on this machine, as an executor does in a container.
func here(t *testing.T, variables []string, commands [][]string) actions.Answer {
	t.Helper()
	for _, command := range commands {
		path, err := exec.LookPath(command[0])
		if err != nil {
			continue
		}
		run := exec.CommandContext(t.Context(), path, command[1:]...)
		run.Env = append(append(os.Environ(), "MASTER_ADDR=", "PET_MASTER_ADDR=", "PET_RDZV_ENDPOINT="), variables...)
		var out, trouble bytes.Buffer
		run.Stdout, run.Stderr = &out, &trouble
		a := actions.Answer{Command: command, Began: time.Now()}
		err = run.Run()
		a.Took = time.Since(a.Began)
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			a.Exit = exit.ExitCode()
		} else if err != nil {
			t.Fatal(err)
		}
		a.Stdout, a.Stderr = out.Bytes(), trouble.Bytes()
		return a
	}
	t.Skipf("none of %v is here", commands)
	return actions.Answer{}
}

func onLinux(t *testing.T) {
	t.Helper()
	if _, err := os.Stat("/proc/1/limits"); err != nil {
		t.Skip("not Linux")
	}
}

func TestScriptsRunOnThisMachine(t *testing.T) {
	onLinux(t)
	expect := func(p Probe, variables []string, state State, want string) {
		t.Helper()
		a := here(t, variables, p.Commands(nil, actions.Target{}))
		r := p.Read(a)
		if r.State != state || !strings.Contains(r.Line, want) {
			t.Errorf("%s: %s %q, want %s %q\n%s\n%s", p.ID, r.State, r.Line, state, want, a.Stdout, a.Stderr)
		}
	}
	expect(rankEnvironment(), []string{"RANK=2", "WORLD_SIZE=4", "NCCL_DEBUG=INFO"}, Neutral, "RANK=2 WORLD_SIZE=4")
	expect(dnsMaster(), []string{"MASTER_ADDR=localhost"}, Good, "localhost is ")
	expect(dnsMaster(), []string{"MASTER_ADDR=no-such-name.invalid"}, Bad, "no-such-name.invalid does not resolve")
	expect(dnsMaster(), nil, Unclear, "no variable names the first rank")
	expect(portMaster(), []string{"MASTER_ADDR=127.0.0.1", "MASTER_PORT=1"}, Bad, "127.0.0.1:1 does not answer: connection refused")
	expect(portMaster(), []string{"PET_RDZV_ENDPOINT=127.0.0.1"}, Unclear, "no variable names its port")
	expect(clockSkew(), nil, Neutral, "0.0 s against this machine")
	for _, p := range []Probe{diskSpace(), resourceLimits(), infinibandPorts(), sharedMemory()} {
		a := here(t, nil, p.Commands(nil, actions.Target{}))
		if r := p.Read(a); r.State == Unclear || r.Line == "" || r.Key == "" {
			t.Errorf("%s: %+v\n%s", p.ID, r, a.Stdout)
		}
	}
}

// Without Python, the shell script finds the same.
func TestTheShellFindsTheMaster(t *testing.T) {
	onLinux(t)
	if _, err := exec.LookPath("getent"); err != nil {
		t.Skip("no getent")
	}
	r := readMaster(here(t, []string{"MASTER_ADDR=localhost"}, [][]string{shell(masterScript, "dns")}))
	if r.State != Good || !strings.HasPrefix(r.Line, "localhost is ") {
		t.Errorf("%+v", r)
	}
	hostile := here(t, []string{`MASTER_ADDR=$(touch /tmp/traintop-was-here);x`}, [][]string{shell(masterScript, "dns")})
	if r := readMaster(hostile); r.State != Bad {
		t.Errorf("%+v", r)
	}
	if _, err := os.Stat("/tmp/traintop-was-here"); err == nil {
		t.Error("a value was run as a command")
	}
}

func TestAProcessIsFoundByItsProgram(t *testing.T) {
	onLinux(t)
	path, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("no Python")
	}
	sleeper := exec.CommandContext(t.Context(), path, "-c", "import time; time.sleep(60)", "--api-key", "hunter2")
	if err := sleeper.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = sleeper.Process.Kill(); _ = sleeper.Wait() }()
	deadline := time.Now().Add(10 * time.Second)
	for {
		a := here(t, nil, [][]string{shell(stackScript)})
		processes, _, whole := readPythons(a.Stdout)
		for _, p := range processes {
			if strings.Contains(p.command, "time.sleep(60)") && whole {
				if strings.Contains(p.command, "hunter2") || p.state == "" {
					t.Errorf("%+v", p)
				}
				return
			}
		}
		if time.Now().After(deadline) {
			t.Fatalf("not found in\n%s", a.Stdout)
		}
	}
}

func TestTheWriteTestWritesAndCleansUp(t *testing.T) {
	onLinux(t)
	folder := t.TempDir()
	odd := folder + "/with blank; rm -rf x"
	if err := os.Mkdir(odd, 0o700); err != nil {
		t.Fatal(err)
	}
	r := readWrites(here(t, nil, [][]string{shell(writeScript, folder, odd, folder+"/missing")}))
	if r.State != Bad || !strings.Contains(r.Line, folder+" takes 64 MiB in ") || !strings.Contains(r.Line, "cannot write to "+folder+"/missing: No such file or directory") {
		t.Errorf("%+v", r)
	}
	for _, place := range []string{folder, odd} {
		entries, _ := os.ReadDir(place)
		for _, entry := range entries {
			if !entry.IsDir() {
				t.Errorf("%s is left over", entry.Name())
			}
		}
	}
}
