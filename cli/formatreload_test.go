package cli

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/adrg/xdg"
	"github.com/spf13/pflag"

	"github.com/traintop/traintop/cli/config"
	"github.com/traintop/traintop/sources/formats"
	"github.com/traintop/traintop/ui"
)

// A format that is written to the configuration while logs are open counts at once:
// the logs are read again, and the screen shows it.
func TestASavedFormatCountsAtOnce(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	xdg.Reload()
	t.Cleanup(xdg.Reload)
	if err := os.MkdirAll(filepath.Dir(config.Path()), 0o700); err != nil {
		t.Fatal(err)
	}
	log := filepath.Join(t.TempDir(), "train.log")
	if err := os.WriteFile(log, []byte("lap 1 >> q~0.5\nlap 2 >> q~0.4\nlap 3 >> q~0.3\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	o := &opening{app: &app{err: io.Discard, clock: time.Now}}
	o.persistentFlags(pflag.NewFlagSet("", pflag.ContinueOnError))
	o.from, o.onScreen = []string{log}, true
	session, err := o.follow()
	if err != nil {
		t.Fatal(err)
	}
	ctx, leave := context.WithCancel(t.Context())
	defer leave()
	cluster := &fileCluster{session: session}
	cluster.start(ctx, func(err error) { t.Error(err) })
	defer cluster.stop()
	samples := func() int {
		jobs := session.store.Snapshot().LogJobs()
		if len(jobs) == 0 {
			return -1
		}
		return len(session.store.Snapshot().RankLog(jobs[0], 0).Samples.Rows)
	}
	until(t, func() bool { return samples() == 0 })
	arrived := make(chan ui.Reload, 8)
	done := make(chan struct{})
	go func() {
		defer close(done)
		o.reloads(o.loaded.config, cluster)(ctx, func(of func(string) ui.Reload) { arrived <- of("") })
	}()
	pattern := formats.Pattern{Name: "laps", Match: `lap (?P<step>\d+) >> q~(?P<quality>[\d.]+)`, Example: "lap 7 >> q~0.5"}
	until(t, func() bool { // the watch may not have begun
		if len(arrived) > 0 {
			return true
		}
		if err := config.AddPattern(config.Path(), pattern); err != nil {
			t.Fatal(err)
		}
		time.Sleep(300 * time.Millisecond)
		return len(arrived) > 0
	})
	reload := <-arrived
	if !strings.Contains(reload.Logs, "read again") || len(reload.NextStart) > 0 {
		t.Errorf("the screen is told %q, and %v of the next start", reload.Logs, reload.NextStart)
	}
	until(t, func() bool { return samples() == 3 })
	leave()
	<-done
}

// until waits for a condition.
func until(t *testing.T, is func() bool) {
	t.Helper()
	for begin := time.Now(); !is(); time.Sleep(10 * time.Millisecond) {
		if time.Since(begin) > 10*time.Second {
			t.Fatal("waited in vain")
		}
	}
}
