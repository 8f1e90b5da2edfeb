package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/traintop/traintop/e2e/controlplane"
)

// answer is the output of `traintop jobs -o json`, as far as tests read it. It
// is declared again here, since others read the JSON too.
type answer struct {
	Jobs     []jobRow
	Problems []struct{ Source, Text string }
}

type jobRow struct {
	Namespace, Group, Kind, Name string
	Phase                        string
	Training                     bool
	Reason                       string
	Ranks                        struct{ Wanted, Ready int }
	GPUs                         int
	Queue                        string
	QueuePlace                   int
	Restarts                     int
}

func (a answer) job(name string) (jobRow, error) {
	var found []jobRow
	for _, row := range a.Jobs {
		if row.Name == name {
			found = append(found, row)
		}
	}
	if len(found) != 1 {
		return jobRow{}, fmt.Errorf("%d rows named %s among %d", len(found), name, len(a.Jobs))
	}
	return found[0], nil
}

// problemAbout finds the text of a problem whose source names a resource.
func (a answer) problemAbout(resource string) string {
	for _, problem := range a.Problems {
		if strings.HasPrefix(problem.Source, "kube/"+resource) {
			return problem.Text
		}
	}
	return ""
}

// run runs traintop and returns what it printed.
func run(ctx context.Context, kubeconfig string, args ...string) (out, complaints string, err error) {
	command := exec.CommandContext(ctx, programs.traintop, append(args, "--kubeconfig="+kubeconfig)...)
	command.Env = environment()
	var stdout, stderr bytes.Buffer
	command.Stdout, command.Stderr = &stdout, &stderr
	err = command.Run()
	return stdout.String(), stderr.String(), err
}

// environment keeps the program away from what a person has configured.
func environment() []string {
	return environmentIn(filepath.Join(filepath.Dir(programs.traintop), "home"))
}

// environmentIn is that of a person with a home folder.
func environmentIn(home string) []string {
	return append(os.Environ(), "KUBECONFIG=", "HOME="+home, "XDG_CONFIG_HOME="+home, "XDG_STATE_HOME="+home)
}

// jobs is the answer of `traintop jobs -o json`.
func jobs(ctx context.Context, kubeconfig string, args ...string) (answer, error) {
	out, complaints, err := run(ctx, kubeconfig, append([]string{"jobs", "-o", "json"}, args...)...)
	if err != nil {
		return answer{}, fmt.Errorf("traintop jobs: %w\n%s", err, complaints)
	}
	var a answer
	if err := json.Unmarshal([]byte(out), &a); err != nil {
		return answer{}, fmt.Errorf("read the answer of traintop jobs: %w\n%s", err, out)
	}
	return a, nil
}

// eventually runs `traintop jobs` until the answer is as it should be; the
// cluster needs a moment to become so.
func eventually(t *testing.T, kubeconfig string, args []string, isRight func(answer) error) answer {
	t.Helper()
	var last answer
	wrong := errors.New("traintop jobs never answered")
	err := cluster.Wait(t.Context(), time.Minute, func(ctx context.Context) error {
		a, err := jobs(ctx, kubeconfig, args...)
		if ctx.Err() != nil {
			return wrong // cut off by the deadline, which proves nothing
		}
		if err == nil {
			last = a
			err = isRight(a)
		}
		wrong = err
		return err
	})
	if err != nil {
		t.Fatalf("%v\nthe last answer: %+v", err, last)
	}
	return last
}

// user makes a user with the given rights and returns the kubeconfig.
func user(t *testing.T, name string, grants ...controlplane.Grant) string {
	t.Helper()
	kubeconfig, err := cluster.UserKubeconfig(t.Context(), name, grants...)
	must(t, err)
	return kubeconfig
}
