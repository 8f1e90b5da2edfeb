package cli

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestInstants(t *testing.T) {
	zone := time.FixedZone("CET", 3600)
	from, to := time.Date(2026, 11, 19, 22, 0, 0, 0, zone), time.Date(2026, 11, 20, 14, 30, 0, 0, zone)
	for text, want := range map[string]string{
		"":                     "2026-11-20T14:30:00+01:00",
		"14:07":                "2026-11-20T14:07:00+01:00",
		"14:07:30":             "2026-11-20T14:07:30+01:00",
		"23:15":                "2026-11-19T23:15:00+01:00", // later today is not in it
		"-5m":                  "2026-11-20T14:25:00+01:00",
		"-1h30m":               "2026-11-20T13:00:00+01:00",
		"2026-11-20T08:00:00Z": "2026-11-20T09:00:00+01:00",
		"2026-11-20 14:07":     "2026-11-20T14:07:00+01:00",
	} {
		at, err := instantOf(text, from, to, zone)
		if err != nil || at.In(zone).Format(time.RFC3339) != want {
			t.Errorf("%q is %s (%v), want %s", text, at.In(zone).Format(time.RFC3339), err, want)
		}
	}
	for text, want := range map[string]string{
		"noon": "no time", "-5": "no time", "15:30": "lasts from", "-20h": "lasts from", "2020-01-01T00:00:00Z": "lasts from",
	} {
		if _, err := instantOf(text, from, to, zone); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

// The start of a recording is printed to the second, and people name it to the minute:
// both name its first snapshot.
func TestThePrintedStartIsTheFirstInstant(t *testing.T) {
	from := time.Date(2026, 11, 20, 14, 0, 45, 400e6, time.UTC)
	for _, text := range []string{"2026-11-20 14:00:45", "14:00:45", "14:00", "2026-11-20T14:00"} {
		if at, err := instantOf(text, from, from.Add(time.Hour), time.UTC); err != nil || !at.Equal(from) {
			t.Errorf("%s is %s (%v)", text, at, err)
		}
	}
	if at, err := instantOf("14:00:43", from, from.Add(time.Hour), time.UTC); err == nil {
		t.Errorf("two seconds before it are %s", at)
	}
}

// cmdline runs a command line with some standard input.
func cmdline(t *testing.T, in []byte, args ...string) (code int, out, complaints string) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	a := &app{in: bytes.NewReader(in), out: &stdout, err: &stderr, clock: time.Now}
	code = a.run(context.Background(), args)
	return code, stdout.String(), stderr.String()
}

func TestARecordingOfFilesAnswersAsTheFilesDo(t *testing.T) {
	path := filepath.Join(t.TempDir(), "demo.ttrec")
	if code, _, said := cmdline(t, nil, "record", "--from", "../testdata/demo", "-o", path); code != exitDone {
		t.Fatalf("record: %d, %s", code, said)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, command := range [][]string{{"jobs", "-o", "json"}, {"gpus", "-o", "json"}, {"diagnose", "-o", "json"}, {"curves", "-o", "json"}} {
		_, want, _ := cmdline(t, nil, append(command, "--from", "../testdata/demo")...)
		_, got, said := cmdline(t, nil, append(command, "--from", path)...)
		if got != want || len(want) < 100 {
			t.Errorf("%v: the recording answers %d bytes, the files %d; %s", command, len(got), len(want), said)
		}
		if _, piped, said := cmdline(t, text, append(command, "--from", "-")...); piped != want {
			t.Errorf("%v from standard input: %d bytes, want %d; %s", command, len(piped), len(want), said)
		}
	}
	code, _, said := cmdline(t, nil, "jobs", "--from", path, "--at", "2001-01-01T00:00:00Z")
	if code != exitUsage || !strings.Contains(said, "lasts from") {
		t.Errorf("an instant outside of it: %d, %s", code, said)
	}
}

func TestRecordAndAtUsedWrongly(t *testing.T) {
	for line, want := range map[string]string{
		"jobs --at 14:07":                         "instant of a recording",
		"jobs --at 14:07 --from ../testdata/demo": "instant of a recording",
		"record":                      "-o names no file",
		"record -o x --logs some":     "none of all, metrics, none",
		"record -o x --max-size 3":    "less than 1Mi",
		"record -o x --max-size much": "no size",
		"record -o x --for soon":      "no length of time",
		"record -o x --keep -3h":      "no length of time",
		"record -o ../LICENSE --from ../testdata/demo --for 1s": "no recording",
	} {
		code, _, said := cmdline(t, nil, strings.Fields(line)...)
		if code == exitDone || !strings.Contains(said, want) {
			t.Errorf("traintop %s: %d, %q, want %q", line, code, said, want)
		}
	}
}
