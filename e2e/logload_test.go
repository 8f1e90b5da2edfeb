package e2e

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/traintop/traintop/e2e/operator"
)

const (
	loadRanks = 64
	// loadRate is how many lines each rank prints a second, for loadTime.
	loadRate = 1000
	loadTime = 20 * time.Second
	// loadPatience bounds how much later the last line may arrive: everything
	// that plays the cluster runs on the same machine, and sends and forwards
	// each line by itself.
	loadPatience = 90 * time.Second
	// loadCores is what following may cost while loadRate is kept up, in cores.
	loadCores = 1.0
	// watchCores is what the screen may take of it, in cores; on a slower machine,
	// watchRatio is how much more it may be than following alone in the same run.
	watchCores, watchRatio = 1.0, 4
	// loadResident bounds the memory held meanwhile, in bytes.
	loadResident = 200 << 20
)

// All ranks of a job of 64 print a thousand lines a second, and `traintop
// logs -f` prints every one of them, each once.
func TestSlowFollowManyFastLogs(t *testing.T) {
	if testing.Short() {
		t.Skip("prints more than a million lines")
	}
	const namespace = "log-load"
	namespaces(t, namespace)
	must(t, cluster.CreateNodes(t.Context(), "load", loadRanks/8, 8))
	fleet := operator.Fleet{Namespace: namespace, Jobs: 1, RanksPerJob: loadRanks, NodePrefix: "load", Nodes: loadRanks / 8}
	must(t, fleet.Create(t.Context(), cluster))
	files := loadFiles(t, namespace)

	follower := startFollowing(t, "logs", "train-0", "-n", namespace, "-f", "--no-prefix")
	follower.waitReady()
	before := follower.measured().cpu()
	started := time.Now()
	printed := writeLoad(t, files, loadTime)
	took := time.Since(started)
	follower.waitLines(printed)
	whole := time.Since(started)
	cpu := follower.measured().cpu() - before
	resident, peak := follower.measured().memory()
	perLine := cpu / time.Duration(printed)
	cores := perLine.Seconds() * loadRanks * loadRate
	t.Logf("%d lines of %d ranks were printed in %s and followed in %s; traintop took %s of CPU, %s a line: %.2f cores at %d lines a second; resident %d MiB, at its peak %d MiB",
		printed, loadRanks, took.Round(time.Millisecond), whole.Round(time.Millisecond), cpu, perLine, cores, loadRanks*loadRate, resident>>20, peak>>20)
	follower.wantEachOnce(printed / loadRanks)
	if cores > loadCores {
		t.Errorf("following %d lines a second takes %.2f cores, at most %.1f is allowed", loadRanks*loadRate, cores, loadCores)
	}
	if peak > loadResident {
		t.Errorf("it held %d MiB, at most %d is allowed", peak>>20, loadResident>>20)
	}
	follower.end()
	watchLoad(t, namespace, files, cores)
}

const (
	// watchTime is how long the screen is watched under the same load.
	watchTime = 10 * time.Second
	// watchResident bounds what the screen holds: 128 MiB of lines, six million
	// metric values, and room for garbage.
	watchResident = 600 << 20
)

// watchLoad opens the screen on all ranks merged by time, which follows every
// log, keeps the newest lines and all curves, and draws as they arrive. followed are the
// cores that following alone took.
func watchLoad(t *testing.T, namespace string, files []*os.File, followed float64) {
	screen := openScreen(t, cluster.Kubeconfig, "-n", namespace)
	screen.waitFor("train-0")
	screen.waitQuiet()
	screen.press("l")
	screen.waitQuiet()
	screen.press("v")
	screen.waitFor("by time")
	screen.waitQuiet()
	before := screen.measured().cpu()
	printed := writeLoad(t, files, watchTime)
	screen.waitQuiet() // late lines were read too
	cpu := screen.measured().cpu() - before
	resident, peak := screen.measured().memory()
	cores := (cpu / time.Duration(printed)).Seconds() * loadRanks * loadRate
	t.Logf("the screen took %s of CPU for %d lines: %.2f cores at %d lines a second; resident %d MiB, at its peak %d MiB",
		cpu, printed, cores, loadRanks*loadRate, resident>>20, peak>>20)
	if most := max(watchCores, watchRatio*followed); cores > most || peak > watchResident {
		t.Errorf("at most %.2f cores and %d MiB are allowed", most, watchResident>>20)
	}
}

// loadFiles makes an empty log for every pod of the fleet's job.
func loadFiles(t *testing.T, namespace string) []*os.File {
	t.Helper()
	plays := operator.Operator{Cluster: cluster, Namespace: namespace}
	var files []*os.File
	dir := t.TempDir()
	for rank := range loadRanks {
		pod := "train-0-worker-" + strconv.Itoa(rank-1)
		if rank == 0 {
			pod = "train-0-master-0"
		}
		file, err := os.Create(filepath.Join(dir, pod+".log"))
		must(t, err)
		t.Cleanup(func() { _ = file.Close() })
		_, err = file.WriteString(criLine(time.Now(), fmt.Sprintf("%d ready", rank)))
		must(t, err)
		serveLogs(t, plays, pod, &containerLog{path: file.Name()}, nil)
		files = append(files, file)
	}
	return files
}

// writeLoad prints for a while, ten times a second, what each rank prints in
// that time, and returns how many lines that were in all.
func writeLoad(t *testing.T, files []*os.File, long time.Duration) (printed int) {
	t.Helper()
	const beat = 100 * time.Millisecond
	lines := int(loadRate * beat / time.Second)
	var text []byte
	ticks := time.NewTicker(beat)
	defer ticks.Stop()
	for round := range int(long / beat) {
		<-ticks.C
		for rank, file := range files {
			text = text[:0]
			at := time.Now().UTC()
			for i := range lines {
				text = at.Add(time.Duration(i)).AppendFormat(text, "2006-01-02T15:04:05.000000000Z07:00")
				text = append(text, " stdout F "...)
				text = strconv.AppendInt(text, int64(rank), 10)
				text = append(text, " step "...)
				text = strconv.AppendInt(text, int64(round*lines+i), 10)
				text = append(text, " | loss 2.3148 | lr 3.0e-04 | grad norm 0.81 | 41,203 tokens/s/gpu | 0.49 s/it\n"...)
			}
			_, err := file.Write(text)
			must(t, err)
			printed += lines
		}
	}
	return printed
}

// lineFollower is traintop following logs into a file.
type lineFollower struct {
	screen
	out string
	end func() // by ctrl-c
}

func startFollowing(t *testing.T, args ...string) *lineFollower {
	t.Helper()
	f := &lineFollower{out: filepath.Join(t.TempDir(), "out")}
	out, err := os.Create(f.out)
	must(t, err)
	f.t = t
	f.command = exec.Command(programs.traintop, append(args, "--kubeconfig="+cluster.Kubeconfig)...)
	f.command.Env = environment()
	f.command.Stdout, f.command.Stderr = out, &f.screen
	must(t, f.command.Start())
	f.end = sync.OnceFunc(func() {
		_ = f.command.Process.Signal(os.Interrupt)
		if err := f.command.Wait(); err != nil {
			t.Errorf("ctrl-c ends it with %v: %s", err, f.drawn.String())
		}
		_ = out.Close()
	})
	t.Cleanup(f.end)
	return f
}

func (f *lineFollower) waitReady() { f.waitCount(loadRanks, screenPatience) }

// waitLines waits for so many lines beside the first of each rank.
func (f *lineFollower) waitLines(n int) { f.waitCount(n+loadRanks, loadPatience) }

func (f *lineFollower) waitCount(n int, atMost time.Duration) {
	f.t.Helper()
	have := 0
	file, err := os.Open(f.out)
	must(f.t, err)
	defer file.Close()
	buffer := make([]byte, 1<<20)
	for late := time.Now().Add(atMost); have < n; {
		read, _ := file.Read(buffer)
		have += strings.Count(string(buffer[:read]), "\n")
		if read > 0 {
			continue
		}
		if time.Now().After(late) {
			f.t.Fatalf("%d of %d lines came within %s: %s", have, n, atMost, f.drawn.String())
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// wantEachOnce reads the printed lines: each rank's steps, in their order.
func (f *lineFollower) wantEachOnce(steps int) {
	f.t.Helper()
	file, err := os.Open(f.out)
	must(f.t, err)
	defer file.Close()
	next := make([]int, loadRanks)
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		fields := strings.Fields(lines.Text())
		if len(fields) < 3 || fields[1] != "step" {
			continue
		}
		rank, err := strconv.Atoi(fields[0])
		must(f.t, err)
		if step := fields[2]; step != strconv.Itoa(next[rank]) {
			f.t.Fatalf("rank %d: step %s comes where %d should", rank, step, next[rank])
		}
		next[rank]++
	}
	for rank, n := range next {
		if n != steps {
			f.t.Errorf("rank %d: %d lines, want %d", rank, n, steps)
		}
	}
}
