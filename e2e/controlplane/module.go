package controlplane

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// module is a downloaded module, with a throw-away main module beside it in
// which its programs are built.
//
// `go install module/cmd@version` refuses modules whose go.mod has replace
// directives, and Kubernetes replaces its staging modules by folders that the
// published module does not contain. The throw-away module repeats those
// directives, with the published staging modules instead of the folders.
type module struct {
	Path, Version string
	Dir           string // its source
	work          string // the throw-away module
}

// downloadModule fetches a module and prepares its throw-away module in a
// folder of its own below scratch.
func downloadModule(ctx context.Context, scratch, path, version string) (module, error) {
	m := module{Path: path, Version: version, work: filepath.Join(scratch, strings.ReplaceAll(path, "/", "_"))}
	if err := os.MkdirAll(m.work, 0o755); err != nil {
		return m, fmt.Errorf("make a folder to build %s in: %w", path, err)
	}
	if err := m.writeGoMod("module throwaway\n\ngo 1.26.0\n"); err != nil {
		return m, err
	}
	said, err := m.goCommand(ctx, "mod", "download", "-json", path+"@"+version)
	if err != nil {
		return m, fmt.Errorf("download %s %s: %w", path, version, err)
	}
	if err := json.Unmarshal(said, &m); err != nil {
		return m, fmt.Errorf("read what go mod download said about %s: %w", path, err)
	}
	parsed, err := m.goMod(ctx)
	if err != nil {
		return m, err
	}
	return m, m.writeGoMod(throwawayGoMod(m, parsed))
}

// goModFile is the part of a go.mod that matters here, as `go mod edit -json`
// prints it.
type goModFile struct {
	Require []modulePath
	Replace []struct{ Old, New modulePath }
}

type modulePath struct{ Path, Version string }

func (m module) goMod(ctx context.Context) (goModFile, error) {
	var parsed goModFile
	said, err := m.goCommand(ctx, "mod", "edit", "-json", filepath.Join(m.Dir, "go.mod"))
	if err != nil {
		return parsed, fmt.Errorf("read the go.mod of %s: %w", m.Path, err)
	}
	if err := json.Unmarshal(said, &parsed); err != nil {
		return parsed, fmt.Errorf("read the go.mod of %s: %w", m.Path, err)
	}
	return parsed, nil
}

func (m module) requiredVersion(ctx context.Context, path string) (string, error) {
	parsed, err := m.goMod(ctx)
	if err != nil {
		return "", err
	}
	for _, required := range parsed.Require {
		if required.Path == path {
			return required.Version, nil
		}
	}
	return "", fmt.Errorf("%s %s does not require %s any more: name its version here", m.Path, m.Version, path)
}

func throwawayGoMod(m module, original goModFile) string {
	var text strings.Builder
	fmt.Fprintf(&text, "module throwaway\n\ngo 1.26.0\n\nrequire %s %s\n", m.Path, m.Version)
	for _, replace := range original.Replace {
		to := replace.New.Path + " " + replace.New.Version
		if strings.HasPrefix(replace.New.Path, ".") {
			if !strings.HasPrefix(replace.New.Path, "./staging/") {
				continue // a sibling folder of the repository; the published module is required by version
			}
			// Staging modules are published as v0.X.Y for Kubernetes 1.X.Y.
			to = replace.Old.Path + " v0." + strings.TrimPrefix(m.Version, "v1.")
		}
		from := strings.TrimSpace(replace.Old.Path + " " + replace.Old.Version)
		fmt.Fprintf(&text, "replace %s => %s\n", from, to)
	}
	return text.String()
}

// buildProgram compiles a package and puts the program at its place in one step.
func (m module) buildProgram(ctx context.Context, pkg, to, linkerFlags string) error {
	unfinished := to + ".unfinished"
	// Without paths and VCS stamps the build cache serves any checkout.
	if _, err := m.goCommand(ctx, "build", "-trimpath", "-buildvcs=false", "-mod=mod", "-ldflags", linkerFlags, "-o", unfinished, pkg); err != nil {
		return fmt.Errorf("build %s %s: %w", pkg, m.Version, err)
	}
	if err := os.Rename(unfinished, to); err != nil {
		return fmt.Errorf("keep %s: %w", pkg, err)
	}
	return nil
}

func (m module) writeGoMod(text string) error {
	if err := os.WriteFile(filepath.Join(m.work, "go.mod"), []byte(text), 0o644); err != nil {
		return fmt.Errorf("write a go.mod to build %s: %w", m.Path, err)
	}
	return nil
}

func (m module) goCommand(ctx context.Context, args ...string) ([]byte, error) {
	command := exec.CommandContext(ctx, "go", args...)
	command.Dir = m.work
	command.Env = append(os.Environ(), "GOWORK=off")
	var out, complaints bytes.Buffer
	command.Stdout, command.Stderr = &out, &complaints
	if err := command.Run(); err != nil {
		return nil, fmt.Errorf("go %s: %w\n%s", strings.Join(args, " "), err, lastLines(complaints.String(), 20))
	}
	return out.Bytes(), nil
}

func lastLines(text string, n int) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return strings.Join(lines[max(0, len(lines)-n):], "\n")
}
