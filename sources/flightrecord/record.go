// Package flightrecord reads the dumps of PyTorch's flight recorder. The recorder
// notes the collectives of each rank and writes them to one file per rank when a
// collective times out: a pickle, or JSON from the control plane's handler (c10d
// FlightRecorder, read in its format 2.4 and on main in 2026). The package turns
// dumps into log lines, so that panes show them and the diagnosis compares ranks
// by them. It reads a pickle as data and runs nothing in it.
package flightrecord

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"strconv"
	"strings"
	"time"

	pickle "github.com/kisielk/og-rek"
)

// Is reports whether a file that begins with head is such a dump, and not other
// binary data or other JSON.
func Is(head []byte) bool { return isPickle(head) || isJSON(head) }

func isPickle(head []byte) bool {
	return len(head) > 2 && head[0] == 0x80 && head[1] >= 2 && head[1] <= 5 &&
		(bytes.Contains(head, []byte("pg_config")) || bytes.Contains(head, []byte("nccl_version")) || bytes.Contains(head, []byte("collective_seq_id")))
}

// isJSON: keys are sorted, so the entries come first if there are any.
func isJSON(head []byte) bool {
	text := bytes.TrimSpace(head)
	return bytes.HasPrefix(text, []byte("{")) && (bytes.Contains(text, []byte(`"collective_seq_id"`)) || bytes.Contains(text, []byte(`"pg_status"`))) &&
		(bytes.Contains(text, []byte(`"process_group"`)) || bytes.Contains(text, []byte(`"pg_config"`)))
}

// mostBytes bounds a dump: 20,000 entries with their stacks are a few megabytes,
// since equal strings are written once.
const mostBytes = 64 << 20

// ErrTooLarge is the error of Read for more than 64 MiB.
var ErrTooLarge = errors.New("a flight record of more than 64 MiB; TORCH_FR_BUFFER_SIZE is far too large for that")

// Record is the content of one rank's dump.
type Record struct {
	// Version of the format, "2.10".
	Version string
	// Groups are the process groups by name, as the recorder names them.
	Groups map[string]Group
	// Entries are in the order in which they were enqueued.
	Entries []Entry
}

// Group is a process group.
type Group struct {
	Name, Description string
	Ranks             string // "[0, 1, 2]", as in the dump
}

// Entry is one collective, or one point-to-point operation.
type Entry struct {
	// ID is the number of the group among those of this rank; Group is its
	// name, which is the same on all ranks.
	ID                 int64
	Group, Description string
	// Sequence counts the collectives of the group, from 1; for a point-to-point
	// operation it is that of the last collective before.
	Sequence int64
	// Name is the operation: "nccl:all_reduce".
	Name    string
	Between bool // point-to-point (is_p2p)
	// Elements of all inputs together, -1 if unknown; Type is the first input's.
	Elements int64
	Type     string
	// State is "scheduled", "started" or "completed"; the dump contains started
	// only with TORCH_NCCL_ENABLE_TIMING.
	State    string
	Created  time.Time
	Duration time.Duration // 0 if unknown
	// Frames are the stack that enqueued it, innermost first.
	Frames []Frame
}

// Frame is a position in a program.
type Frame struct {
	Function, File string
	Line           int64
}

// Limits for untrusted input.
const (
	mostEntries = 100_000
	mostFrames  = 200
	mostDims    = 64
)

// Read reads a dump.
func Read(in io.Reader) (*Record, error) {
	text, err := io.ReadAll(io.LimitReader(in, mostBytes+1))
	if err != nil {
		return nil, fmt.Errorf("reading a flight record: %w", err)
	}
	if len(text) > mostBytes {
		return nil, ErrTooLarge
	}
	top, err := decode(text)
	if err != nil {
		return nil, err
	}
	r := &Record{Version: textIn(top, "version"), Groups: map[string]Group{}}
	each(field(top, "pg_config"), func(key string, v any) {
		g := Group{Name: textIn(v, "name"), Description: textIn(v, "desc"), Ranks: textIn(v, "ranks")}
		if g.Name == "" {
			g.Name = key
		}
		r.Groups[g.Name] = g
	})
	for _, v := range list(field(top, "entries"), mostEntries) {
		r.Entries = append(r.Entries, entryOf(v))
	}
	if len(r.Entries) == 0 && len(r.Groups) == 0 {
		return nil, errors.New("a flight record without groups and entries")
	}
	return r, nil
}

func decode(text []byte) (any, error) {
	var top any
	var err error
	if isPickle(text) {
		top, err = pickle.NewDecoder(bytes.NewReader(text)).Decode()
	} else {
		d := json.NewDecoder(bytes.NewReader(text))
		d.UseNumber() // times in nanoseconds do not fit a float
		err = d.Decode(&top)
	}
	if err != nil {
		return nil, fmt.Errorf("a flight record that is cut off or damaged: %w", err)
	}
	return top, nil
}

func entryOf(v any) Entry {
	e := Entry{
		ID: number(field(v, "pg_id")), Sequence: number(field(v, "collective_seq_id")), Name: textIn(v, "profiling_name"),
		Between: field(v, "is_p2p") == true, State: textIn(v, "state"), Elements: -1,
	}
	if e.Sequence < 0 {
		e.Sequence = number(field(v, "seq_id")) // up to format 2.4
	}
	for i, name := range list(field(v, "process_group"), 2) {
		if text, _ := name.(string); i == 0 {
			e.Group = text
		} else {
			e.Description = text
		}
	}
	if ns := number(field(v, "time_created_ns")); ns > 0 {
		e.Created = time.Unix(0, ns).UTC()
	}
	if ms, err := strconv.ParseFloat(fmt.Sprint(field(v, "duration_ms")), 64); err == nil && ms > 0 && ms < 1e12 {
		e.Duration = time.Duration(ms * float64(time.Millisecond))
	}
	for _, sizes := range list(field(v, "input_sizes"), mostDims) {
		n := int64(1)
		for _, size := range list(sizes, mostDims) {
			n *= max(0, number(size))
		}
		e.Elements = max(0, e.Elements) + n
	}
	if types := list(field(v, "input_dtypes"), 1); len(types) > 0 {
		e.Type, _ = types[0].(string)
	}
	for _, f := range list(field(v, "frames"), mostFrames) {
		e.Frames = append(e.Frames, Frame{textIn(f, "name"), textIn(f, "filename"), number(field(f, "line"))})
	}
	return e
}

// Fields that a pickle and JSON name alike.

func field(v any, key string) any {
	switch m := v.(type) {
	case map[any]any:
		return m[key]
	case map[string]any:
		return m[key]
	}
	return nil
}

func each(v any, visit func(key string, v any)) {
	switch m := v.(type) {
	case map[any]any:
		for key, v := range m {
			if name, is := key.(string); is {
				visit(name, v)
			}
		}
	case map[string]any:
		for key, v := range m {
			visit(key, v)
		}
	}
}

// list reads a list or tuple, at most so many elements; a list of one type may
// be written as a call of torch.jit._pickle.build_intlist and the like.
func list(v any, most int) []any {
	var all []any
	switch l := v.(type) {
	case []any:
		all = l
	case pickle.Tuple:
		all = l
	case pickle.Call:
		if strings.HasPrefix(l.Callable.Name, "build_") && len(l.Args) == 1 {
			return list(l.Args[0], most)
		}
	}
	return all[:min(len(all), most)]
}

func textIn(v any, key string) string {
	text, _ := field(v, key).(string)
	return text
}

// number is an integer, -1 if there is none.
func number(v any) int64 {
	switch n := v.(type) {
	case int64:
		return n
	case *big.Int:
		if n.IsInt64() {
			return n.Int64()
		}
	case json.Number:
		if whole, err := n.Int64(); err == nil {
			return whole
		}
	}
	return -1
}
