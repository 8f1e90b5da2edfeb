package kubelet

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// ProgramsAnnotation of a pod lists the only programs that are in its
// containers, "none" for none.
const ProgramsAnnotation = "e2e/programs"

// Sandbox replaces the file systems of a pod's containers.
type Sandbox struct {
	// Root is the working and home directory of commands.
	Root string
	// Bin comes first in their PATH.
	Bin string
}

// SandboxOf makes the folders of a pod, once.
func (k *Kubelet) SandboxOf(pod *corev1.Pod) (Sandbox, error) {
	dir := filepath.Join(k.dir, string(pod.UID))
	s := Sandbox{Root: filepath.Join(dir, "root"), Bin: filepath.Join(dir, "bin")}
	for _, folder := range []string{s.Root, s.Bin} {
		if err := os.MkdirAll(folder, 0o755); err != nil {
			return s, fmt.Errorf("make the folders of pod %s: %w", pod.Name, err)
		}
	}
	return s, s.link(pod.Annotations[ProgramsAnnotation])
}

// Program puts a shell script into the sandbox, as a program of this name.
func (s Sandbox) Program(name, script string) error {
	if err := os.WriteFile(filepath.Join(s.Bin, name), []byte("#!/bin/sh\n"+script+"\n"), 0o755); err != nil {
		return fmt.Errorf("write the program %s: %w", name, err)
	}
	return nil
}

// link brings in the programs of this machine that the pod lists.
func (s Sandbox) link(programs string) error {
	for _, name := range strings.Fields(programs) {
		target, err := exec.LookPath(name)
		if err != nil {
			continue // "none", or one that this machine does not have
		}
		if err := os.Symlink(target, filepath.Join(s.Bin, name)); err != nil && !os.IsExist(err) {
			return fmt.Errorf("bring in the program %s: %w", name, err)
		}
	}
	return nil
}

// bare reports whether a container has listed programs only. A debug container
// brings its own.
func (c container) bare() bool {
	for i := range c.pod.Spec.EphemeralContainers {
		if c.pod.Spec.EphemeralContainers[i].Name == c.name {
			return false
		}
	}
	_, bare := c.pod.Annotations[ProgramsAnnotation]
	return bare
}

// path is the PATH of commands.
func (s Sandbox) path(c container) string {
	if c.bare() {
		return s.Bin
	}
	return s.Bin + ":/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin"
}

// find is the file of a program. Its error for a missing one is that of runc
// 1.3 through containerd 2.1.
func (s Sandbox) find(c container, program string) (string, error) {
	if strings.Contains(program, "/") {
		if c.bare() && !strings.HasPrefix(program, s.Bin) {
			program = filepath.Join(s.Bin, filepath.Base(program))
		}
		if _, err := os.Stat(program); err != nil {
			return "", fmt.Errorf("%sexec: %q: stat %s: no such file or directory", ociFailure, program, program)
		}
		return program, nil
	}
	for _, folder := range filepath.SplitList(s.path(c)) {
		file := filepath.Join(folder, program)
		if found, err := os.Stat(file); err == nil && !found.IsDir() && found.Mode()&0o111 != 0 {
			return file, nil
		}
	}
	return "", fmt.Errorf("%sexec: %q: executable file not found in $PATH", ociFailure, program)
}

// environment of a command: the runtime's variables, then the literal ones of
// the container's spec.
func (s Sandbox) environment(c container, tty bool) []string {
	environment := []string{"PATH=" + s.path(c), "HOME=" + s.Root, "HOSTNAME=" + c.pod.Name}
	if tty {
		environment = append(environment, "TERM=xterm")
	}
	for i := range c.pod.Spec.Containers {
		if c.pod.Spec.Containers[i].Name != c.name {
			continue
		}
		for _, variable := range c.pod.Spec.Containers[i].Env {
			if variable.ValueFrom == nil {
				environment = append(environment, variable.Name+"="+variable.Value)
			}
		}
	}
	return environment
}

const ociFailure = `failed to exec in container: failed to start exec "4f0c6dba0fbb3f5d8df8e5c2b2bb0a1f6c6e2bd6b8bd1f4a6de3a7c2c1b7a0e5": ` +
	"OCI runtime exec failed: exec failed: unable to start container process: "
