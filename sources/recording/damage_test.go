package recording_test

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/traintop/traintop/sources/recording"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// minutes is how long someBytes lasts, with one line per minute.
const minutes = 24

// someBytes returns a recording of some minutes, in several pieces and chunks,
// with snapshots.
func someBytes(t testing.TB) []byte {
	t.Helper()
	clock := &ticking{now: began}
	path := filepath.Join(t.TempDir(), "a.ttrec")
	w, err := recording.Create(path, recording.Options{Now: clock.Now, Keep: 40 * time.Minute, About: recording.About{Logs: recording.LogsAll}})
	if err != nil {
		t.Fatal(err)
	}
	id := train.StreamID{Namespace: "ml", Pod: "bert-0", Container: "main"}
	for i := range minutes {
		clock.add(time.Minute)
		line := train.LogLine{Number: int64(i + 1), Time: clock.Now(), Text: fmt.Sprintf("step %d loss %d.5", i, 100-i)}
		w.Apply(store.Logged{
			Stream: id, Lines: []train.LogLine{line},
			Samples: []train.Sample{{Line: line.Number, Time: line.Time, Rank: -1, Step: float64(i), HasStep: true, Metrics: []train.Metric{{Name: "loss", Value: 100.5 - float64(i)}}}},
		})
		w.Apply(store.Measured{Source: "dcgm", Node: "n", Every: time.Minute, Readings: []train.GPUReading{{GPU: train.GPU{Node: "n", Index: "0"}, At: clock.Now()}}})
		w.Mark(recording.Mark{At: clock.Now(), Kind: recording.MarkPhase, Text: "x"})
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// readAll reads everything in a file. It returns the number of log lines, and
// an error only if the file did not open.
func readAll(ctx context.Context, text []byte) (lines int, info recording.Info, err error) {
	f, err := recording.Read(bytes.NewReader(text), int64(len(text)))
	if err != nil {
		return 0, info, err
	}
	defer func() { _ = f.Close() }()
	var all collect
	if err := f.Load(ctx, &all, f.From(), recording.Everything); err != nil {
		return 0, f.Info(), err
	}
	_ = f.Next(ctx, &all, f.To()) // it fails only when the context ends
	_, _ = f.Marks(ctx)
	for _, e := range all.events {
		if logged, is := e.(store.Logged); is {
			lines += len(logged.Lines)
		}
	}
	return lines, f.Info(), nil
}

func TestACutFileOpensUpToTheLastWholePiece(t *testing.T) {
	whole := someBytes(t)
	all, info, err := readAll(t.Context(), whole)
	if err != nil || all != minutes || !info.Closed {
		t.Fatalf("the whole file: %d lines, %v, %+v", all, err, info)
	}
	before := 0
	for cut := range len(whole) {
		if cut%5 != 0 && cut < len(whole)-200 {
			continue
		}
		lines, info, err := readAll(t.Context(), whole[:cut])
		if err != nil {
			if lines > 0 || before > 0 {
				t.Fatalf("cut at %d: %v, though %d lines were read of less", cut, err, before)
			}
			continue
		}
		if lines < before || lines > all {
			t.Fatalf("cut at %d: %d lines, and %d of less", cut, lines, before)
		}
		if before = lines; lines < all && info.Closed {
			t.Fatalf("cut at %d: %d lines, and it says that it is closed", cut, lines)
		}
	}
	if before != all {
		t.Errorf("%d lines of the file without its last byte, want %d", before, all)
	}
}

func TestAFlippedByteIsFoundAndTheRestIsRead(t *testing.T) {
	whole := someBytes(t)
	random := rand.New(rand.NewPCG(1, 2))
	said := 0
	for range 400 {
		text := bytes.Clone(whole)
		at := random.IntN(len(text))
		text[at] ^= byte(1 + random.IntN(255))
		lines, info, err := readAll(t.Context(), text)
		if err != nil {
			continue
		}
		if lines > minutes {
			t.Fatalf("byte %d: %d lines, more than were written", at, lines)
		}
		if lines < minutes && len(info.Damage) == 0 {
			t.Errorf("byte %d: %d lines are missing, and nothing is said", at, minutes-lines)
		}
		said += len(info.Damage)
	}
	if said == 0 {
		t.Error("nothing was ever said about damage")
	}
}

func TestWhatIsNoRecordingIsSaidSo(t *testing.T) {
	for text, want := range map[string]string{
		"":                           "no recording",
		"apiVersion: v1":             "no recording",
		"traintop recording v":       "cut or broken",
		"traintop recording v9\n":    "newer traintop",
		"traintop recording vx\nabc": "cut or broken",
	} {
		if _, _, err := readAll(t.Context(), []byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

// mostMemory is the most that reading a damaged file may allocate, whatever
// lengths it claims: a few zstd windows and the need of the whole file.
const mostMemory = 96 << 20

// checkDamaged reads a damaged copy of someBytes: it has no more than was
// written, reports a loss if something is missing, and allocates nothing for
// missing bytes.
func checkDamaged(t *testing.T, how string, text []byte) {
	t.Helper()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	lines, info, err := readAll(t.Context(), text)
	runtime.ReadMemStats(&after)
	switch {
	case err != nil && err.Error() == "":
		t.Errorf("%s: it does not open and does not say why", how)
	case err == nil && lines > minutes:
		t.Errorf("%s: %d lines, more than were written", how, lines)
	case err == nil && lines < minutes && len(info.Damage) == 0 && info.Closed:
		t.Errorf("%s: %d lines are missing, and nothing is said", how, minutes-lines)
	}
	if took := after.TotalAlloc - before.TotalAlloc; took > mostMemory {
		t.Errorf("%s: reading took %d bytes of memory", how, took)
	}
}

// TestAnyCutAndAnyFlippedBitIsRead reads some hundred files, each cut at a
// random offset and with bits flipped at others, singly and in bursts.
func TestAnyCutAndAnyFlippedBitIsRead(t *testing.T) {
	whole := someBytes(t)
	random := rand.New(rand.NewPCG(3, 4))
	for i := range 400 {
		text := bytes.Clone(whole)
		if i%2 == 0 {
			text = text[:random.IntN(len(text)+1)]
		}
		flips := random.IntN(4)
		for range flips {
			if len(text) == 0 {
				break
			}
			at := random.IntN(len(text))
			for burst := range 1 + random.IntN(12) {
				text[min(at+burst, len(text)-1)] ^= 1 << random.IntN(8)
			}
		}
		checkDamaged(t, fmt.Sprintf("round %d, %d bytes, %d places", i, len(text), flips), text)
	}
}

// FuzzDamage reads a recording that is cut and damaged at two offsets.
func FuzzDamage(f *testing.F) {
	whole := someBytes(f)
	f.Add(len(whole), 0, byte(0), 0, byte(0))
	f.Add(len(whole)/2, 40, byte(1), 200, byte(128))
	f.Add(len(whole)-3, 60, byte(255), 64, byte(7))
	f.Fuzz(func(t *testing.T, cut, first int, flip byte, second int, flop byte) {
		text := bytes.Clone(whole[:min(max(cut, 0), len(whole))])
		for at, with := range map[int]byte{first: flip, second: flop} {
			if at >= 0 && at < len(text) {
				text[at] ^= with
			}
		}
		checkDamaged(t, fmt.Sprintf("%d bytes", len(text)), text)
	})
}

// FuzzRead opens any bytes, or gets an error, in bounded memory.
func FuzzRead(f *testing.F) {
	whole := someBytes(f)
	f.Add(whole, 0, byte(0))
	f.Add(whole[:len(whole)/2], 100, byte(1))
	f.Add([]byte("traintop recording v1\n"), 0, byte(0))
	f.Fuzz(func(t *testing.T, text []byte, at int, flip byte) {
		text = bytes.Clone(text)
		if at >= 0 && at < len(text) {
			text[at] ^= flip
		}
		_, _, _ = readAll(t.Context(), text)
	})
}
