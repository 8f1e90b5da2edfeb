package flightrecord

import (
	"bytes"
	"os"
	"strings"
	"testing"
	"time"
)

func record(t testing.TB, name string) []byte {
	t.Helper()
	text, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func TestRecordsAreRead(t *testing.T) {
	for _, name := range []string{"behind/nccl_trace_rank_2", "json/nccl_trace_rank_2"} {
		dump := record(t, name)
		if !Is(dump) {
			t.Errorf("%s is not known", name)
		}
		r, err := Read(bytes.NewReader(dump))
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Entries) != 2 || r.Version != "2.10" || r.Groups["0"].Ranks != "[0, 1, 2, 3]" {
			t.Fatalf("%s: %+v", name, r)
		}
		e := r.Entries[1]
		if e.Sequence != 1205 || e.Group != "0" || e.Description != "default_pg" || e.Name != "nccl:all_reduce" || e.Elements != 4194304 || e.Type != "Float" || e.State != "completed" {
			t.Errorf("%s: %+v", name, e)
		}
		if want := time.Date(2025, 3, 1, 10, 0, 1, 5e8, time.UTC); !e.Created.Equal(want) || e.Duration != 12500*time.Microsecond {
			t.Errorf("%s: put in at %s, took %s", name, e.Created, e.Duration)
		}
	}
}

func TestTextNamesTheUsersOwnFrame(t *testing.T) {
	text, err := Text(bytes.NewReader(record(t, "behind/nccl_trace_rank_2")))
	if err != nil {
		t.Fatal(err)
	}
	want := "2025-03-01T10:00:01.500000Z [PG ID 0 PG GUID 0(default_pg)] collective 1205, ALLREDUCE of 4194304 elements Float, completed in 12.5 ms, at checkpoint.py:88 in save_checkpoint\n" +
		"2025-03-01T10:00:01.500000Z [PG ID 0 PG GUID 0(default_pg)] flight record: all done, last collective 1205, at checkpoint.py:88 in save_checkpoint, of ranks [0, 1, 2, 3]\n"
	if !strings.HasSuffix(string(text), want) {
		t.Errorf("got\n%s", text)
	}
}

// Of several groups with open collectives, the rank waits in the oldest one;
// point-to-point operations have no number.
func TestTheOldestOpenCollectiveIsWaitedFor(t *testing.T) {
	entry := func(group, name, state string, sequence, at int, between string) string {
		return `{"pg_id":1,"process_group":["` + group + `","g"],"collective_seq_id":` + string(rune('0'+sequence)) + `,"profiling_name":"` + name + `","state":"` + state + `","time_created_ns":174082320000000000` + string(rune('0'+at)) + `,"is_p2p":` + between + `}`
	}
	dump := `{"entries":[` + strings.Join([]string{
		entry("a", "nccl:all_gather", "completed", 1, 1, "false"), entry("a", "nccl:send 0->1", "scheduled", 1, 2, "true"),
		entry("b", "nccl:_reduce_scatter_base", "scheduled", 4, 3, "false"), entry("a", "nccl:all_reduce", "scheduled", 2, 4, "false"),
	}, ",") + `],"pg_config":{},"pg_status":{}}`
	text, err := Text(strings.NewReader(dump))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"(g)] " + WaitsIn + "4, REDUCESCATTERBASE, scheduled", "(g)] collective 2 has not completed either, ALLREDUCE", "(g)] SEND 0->1, scheduled"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
	if n := strings.Count(string(text), WaitsIn); n != 1 {
		t.Errorf("it waits %d times", n)
	}
}

// A pickle may name any program; this one would run a shell in Python.
func TestNothingInAPickleIsRun(t *testing.T) {
	marker := t.TempDir() + "/ran"
	dump := "\x80\x02}q\x00(X\x09\x00\x00\x00pg_configcposix\nsystem\n(X" + string([]byte{byte(len("touch " + marker)), 0, 0, 0}) + "touch " + marker + "tRX\x07\x00\x00\x00entries]u."
	if _, err := Text(strings.NewReader(dump)); err == nil {
		t.Error("a record without groups and entries is taken")
	}
	if _, err := os.Stat(marker); err == nil {
		t.Error("it was run")
	}
}

func TestDamageIsReported(t *testing.T) {
	whole := record(t, "behind/nccl_trace_rank_0")
	for _, test := range []struct{ name, dump, want string }{
		{"cut off", string(whole[:len(whole)/2]), "cut off or damaged"},
		{"cut JSON", `{"entries":[{"collective_seq_id":1,`, "cut off or damaged"},
		{"empty", "\x80\x02}q\x00X\x09\x00\x00\x00pg_config}s.", "without groups and entries"},
	} {
		if _, err := Text(strings.NewReader(test.dump)); err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v", test.name, err)
		}
	}
	if Is([]byte(`{"apiVersion":"v1","kind":"List"}`)) || Is([]byte("\x80\x02}q\x00(X\x05\x00\x00\x00modelq\x01")) || Is(nil) {
		t.Error("something else is taken for a flight record")
	}
}

// FuzzText: whatever a file holds, it is refused or made into lines without
// control bytes.
func FuzzText(f *testing.F) {
	for _, name := range []string{"behind/nccl_trace_rank_0", "desync/nccl_trace_rank_2", "json/nccl_trace_rank_0"} {
		f.Add(record(f, name))
	}
	f.Fuzz(func(t *testing.T, dump []byte) {
		text, err := Text(bytes.NewReader(dump))
		if err != nil {
			return
		}
		for _, c := range string(text) {
			if c < ' ' && c != '\n' || c == 0x7f {
				t.Fatalf("control byte %#x in %q", c, text)
			}
		}
	})
}

func BenchmarkText(b *testing.B) {
	dump := record(b, "behind/nccl_trace_rank_0")
	b.SetBytes(int64(len(dump)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Text(bytes.NewReader(dump)); err != nil {
			b.Fatal(err)
		}
	}
}
