package e2e

import (
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// measureOwners prints what the screen holds in memory, by the part of the
// program that asked for it: the table of docs/performance.md.
func measureOwners(t *testing.T, kubeconfig string) {
	profile := filepath.Join(t.TempDir(), "heap")
	screen := openScreenWith(t, append(environment(), "TRAINTOP_HEAP_PROFILE="+profile), io.Discard, kubeconfig, "-A")
	screen.waitFor("train-")
	screen.waitFor("enough was read to say")
	screen.waitQuiet()
	must(t, screen.command.Process.Signal(syscall.SIGTERM))
	text := waitForFile(t, profile)
	owners := ownersOf(t, text)
	if len(owners) < 5 || owners[0].bytes < 1<<20 {
		t.Errorf("the profile knows %v, which is not the memory of a large cluster", owners)
	}
	all := 0.0
	for _, o := range owners {
		all += o.bytes
	}
	t.Logf("%-24s %6.1f MiB of objects that are in use", "all", all/(1<<20))
	for _, o := range owners {
		if o.bytes >= 1<<18 {
			t.Logf("%-24s %6.1f MiB  %4.1f %%", o.name, o.bytes/(1<<20), 100*o.bytes/all)
		}
	}
}

// waitForFile returns a file's text once it is whole.
func waitForFile(t *testing.T, name string) string {
	t.Helper()
	for late := time.Now().Add(time.Minute); time.Now().Before(late); time.Sleep(100 * time.Millisecond) {
		if text, err := os.ReadFile(name); err == nil && strings.Contains(string(text), "# runtime.MemStats") {
			return string(text)
		}
	}
	t.Fatalf("%s was not written", name)
	return ""
}

// owner is a folder of the program, and what was allocated for it.
type owner struct {
	name  string
	bytes float64
}

var (
	heapHead   = regexp.MustCompile(`(?m)^heap profile: .* @ heap/(\d+)`)
	heapRecord = regexp.MustCompile(`^(\d+): (\d+) \[`)
	ourFrame   = regexp.MustCompile(`\sgithub\.com/traintop/traintop/([a-z0-9/]+)\.`)
)

// ownersOf adds up the stacks of a heap profile by the first of our folders
// that each goes through; "libraries" are those without one.
func ownersOf(t *testing.T, text string) []owner {
	t.Helper()
	head := heapHead.FindStringSubmatch(text)
	if head == nil {
		t.Fatalf("this is no heap profile: %.80q", text)
	}
	// The head holds twice the mean distance of samples (runtime/pprof, Go 1.26).
	rate, err := strconv.ParseFloat(head[1], 64)
	must(t, err)
	rate /= 2
	bytes := map[string]float64{}
	for _, record := range splitRecords(text) {
		m := heapRecord.FindStringSubmatch(record)
		if m == nil || m[1] == "0" {
			continue
		}
		objects, _ := strconv.ParseFloat(m[1], 64)
		size, _ := strconv.ParseFloat(m[2], 64)
		name := "libraries"
		if frame := ourFrame.FindStringSubmatch(record); frame != nil {
			name = frame[1]
		}
		// A sample represents all allocations of its size between two samples.
		bytes[name] += size / (1 - math.Exp(-size/objects/rate))
	}
	var owners []owner
	for name, n := range bytes {
		owners = append(owners, owner{name, n})
	}
	slices.SortFunc(owners, func(a, b owner) int { return int(b.bytes - a.bytes) })
	return owners
}

// splitRecords separates records, each of which begins with its counts.
func splitRecords(text string) []string {
	var records []string
	for line := range strings.Lines(text) {
		if heapRecord.MatchString(line) {
			records = append(records, "")
		}
		if len(records) > 0 {
			records[len(records)-1] += line
		}
	}
	return records
}

func TestOwnersOfAHeapProfile(t *testing.T) {
	const profile = "heap profile: 3: 3145728 [9: 9] @ heap/32768\n" +
		"2: 2097152 [4: 4] @ 0x1 0x2\n#\t0x1\tbytes.growSlice+0x1\t/go/bytes.go:1\n#\t0x2\tgithub.com/traintop/traintop/store/loglines.(*Ring).Append+0x2\t/x/ring.go:2\n\n" +
		"1: 1048576 [5: 5] @ 0x3\n#\t0x3\tio.ReadAll+0x1\t/go/io.go:1\n\n" +
		"0: 0 [1: 65536] @ 0x4\n#\t0x4\tgithub.com/traintop/traintop/ui.x+0x1\t/x/x.go:1\n\n# runtime.MemStats\n"
	got := fmt.Sprint(ownersOf(t, profile))
	if want := "[{store/loglines 2.097152e+06} {libraries 1.048576e+06}]"; got != want {
		t.Errorf("owners are %s, want %s", got, want)
	}
}
