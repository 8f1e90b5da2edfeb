package faults

import (
	"testing"
	"time"
)

// checkScreen opens the screen on a cluster that misbehaves, from the start or
// once the jobs are on it, and waits until it reports that.
func (r Row) checkScreen(t *testing.T) {
	t.Helper()
	server, err := StartServer(recorded, r.Fault.wire)
	must(t, err)
	defer server.Stop()
	if r.After == 0 {
		server.Misbehave(r.Fault, r.At, 0)
	}
	program := Program{built, t.TempDir()}
	var options []string
	if r.At.Words == Exporter.Words {
		// Once Prometheus measures its node, the exporter is asked no more.
		options = []string{"--prometheus=off"}
	}
	args, err := program.arguments(server, shortTimeout, options)
	must(t, err)
	seen, err := program.Open(args...)
	must(t, err)
	defer func() {
		if !seen.Close(10 * time.Second) {
			t.Error("it does not end on SIGTERM")
		}
	}()
	if r.After > 0 {
		r.shows(t, seen, r.Still)
		server.Misbehave(r.Fault, r.At, 0)
		server.Break()
	}
	r.shows(t, seen, append(r.Still, r.Says...))
	if peak := seen.Peak(); peak > memoryLimit {
		t.Errorf("it held %d MiB", peak>>20)
	}
}

func (r Row) shows(t *testing.T, seen *Screen, texts []string) {
	t.Helper()
	if !seen.Shows(timeLimit, texts...) {
		t.Fatalf("the screen does not show %s:\n%s", quoted(texts), seen.Now())
	}
}
