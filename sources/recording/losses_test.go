package recording_test

import (
	"bytes"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/traintop/traintop/sources/recording"
	"github.com/traintop/traintop/store"
)

// smallReal returns a small real recording: one job of the demo.
func smallReal(t testing.TB) []byte {
	t.Helper()
	f := openFile(t, filepath.Join("..", "..", "testdata", "story", "demo.ttrec"))
	job := jobNamed(t, snapshotAt(t, f, f.To()), "detr-r50")
	path := filepath.Join(t.TempDir(), "small.ttrec")
	if _, err := f.WriteExcerpt(t.Context(), recording.Excerpt{Job: job.ID, Path: path}); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// checkRecording returns a checksum over everything in a recording, its whole history
// and its marks; said lists the reported losses.
func checkRecording(t *testing.T, text []byte) (sum uint64, said []string) {
	t.Helper()
	f, err := recording.Read(bytes.NewReader(text), int64(len(text)))
	if err != nil {
		return 0, []string{err.Error()}
	}
	defer func() { _ = f.Close() }()
	s := store.New(f.To)
	if err := (&recording.Source{File: f, Name: "x", Backlog: recording.Everything}).Run(t.Context(), s); err != nil {
		return 0, []string{err.Error()}
	}
	snapshot := s.Snapshot()
	h := fnv.New64a()
	for _, job := range snapshot.Jobs() {
		fmt.Fprintf(h, "%s %v %v\n", asJSON(t, job), curvesOf(snapshot, job), gpusOf(snapshot, job))
	}
	snapshot.Logs(func(log *store.Log) bool {
		fmt.Fprintln(h, linesOf([]*store.Log{log}))
		return true
	})
	for _, health := range snapshot.Health() {
		if strings.HasPrefix(health.Source, "recording") && health.State.Trouble() {
			said = append(said, health.Text)
		}
	}
	marks, _ := f.Marks(t.Context())
	for _, m := range marks {
		if m.Kind == recording.MarkRecorder {
			said = append(said, m.Text) // on the timeline
			continue
		}
		fmt.Fprintf(h, "%+v\n", m)
	}
	return h.Sum64(), said
}

// TestNoLossIsSilent flips single bits of a real recording and cuts it: its
// content stays the same, or it reports a loss and its span.
func TestNoLossIsSilent(t *testing.T) {
	whole := smallReal(t)
	want, said := checkRecording(t, whole)
	if len(said) > 0 {
		t.Fatalf("the whole one says %q", said)
	}
	random := rand.New(rand.NewPCG(5, 6))
	lost := 0
	check := func(how string, text []byte) {
		got, said := checkRecording(t, text)
		switch {
		case got == want:
		case len(said) == 0:
			t.Errorf("%s: it tells something else, and says nothing", how)
		case got != 0 && !strings.Contains(said[0], "20"):
			t.Errorf("%s: it names no time: %q", how, said)
		default:
			lost++
		}
	}
	for range 60 {
		text := bytes.Clone(whole)
		at, bit := random.IntN(len(text)), random.IntN(8)
		text[at] ^= 1 << bit
		check(fmt.Sprintf("bit %d of byte %d", bit, at), text)
	}
	for i := range 20 {
		at := random.IntN(len(whole))
		if i < 8 {
			at = pieceEnds(whole)[i*len(pieceEnds(whole))/8] // at a piece boundary
		}
		check(fmt.Sprintf("cut at %d", at), whole[:at])
	}
	if lost < 10 {
		t.Errorf("only %d of them lost anything; that says little", lost)
	}
}

// pieceEnds returns the offsets at which pieces begin, except the first.
func pieceEnds(text []byte) (all []int) {
	for at := bytes.Index(text, []byte("TTpc")) + 1; ; {
		next := bytes.Index(text[at:], []byte("TTpc"))
		if next < 0 {
			return all
		}
		all = append(all, at+next)
		at += next + 1
	}
}

// TestAnExcerptKeepsWhatItsRecordingLacks makes an excerpt of a damaged
// recording, which must report the same losses.
func TestAnExcerptKeepsWhatItsRecordingLacks(t *testing.T) {
	demo, err := os.ReadFile(filepath.Join("..", "..", "testdata", "story", "demo.ttrec"))
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string][]byte{"damaged": flipped(demo, len(demo)/2), "cut": demo[:len(demo)*6/10]} {
		f, err := recording.Read(bytes.NewReader(text), int64(len(text)))
		if err != nil {
			t.Fatal(err)
		}
		job := jobNamed(t, snapshotAt(t, f, f.To()), "detr-r50")
		path := filepath.Join(t.TempDir(), "excerpt.ttrec")
		if _, err := f.WriteExcerpt(t.Context(), recording.Excerpt{Job: job.ID, Path: path}); err != nil {
			t.Fatal(err)
		}
		made := openFile(t, path)
		lost := made.Info().Damage
		if len(lost) == 0 || lost[0].From.IsZero() || lost[0].What == "" || !made.Info().Closed {
			t.Errorf("%s: the excerpt says %+v", name, made.Info())
		}
	}
}

func flipped(text []byte, at int) []byte {
	text = bytes.Clone(text)
	text[at] ^= 4
	return text
}

// TestDamageThatIsMetWhilePlayingIsSaid loads an instant before the damage and
// plays across it.
func TestDamageThatIsMetWhilePlayingIsSaid(t *testing.T) {
	whole := someBytes(t)
	lost := 0
	for _, at := range pieceEnds(whole) {
		text := flipped(whole, min(at+60, len(whole)-1)) // after the head of the piece
		f, err := recording.Read(bytes.NewReader(text), int64(len(text)))
		if err != nil {
			t.Fatal(err)
		}
		p := recording.NewPlayer(f, "x.ttrec", f.To)
		s := store.New(f.To)
		if err := p.Begin(t.Context(), s, f.From()); err != nil {
			t.Fatal(err)
		}
		if err := p.Next(t.Context(), f.To()); err != nil {
			t.Fatal(err)
		}
		lines := 0
		s.Snapshot().Logs(func(log *store.Log) bool { lines = log.Lines.Len(); return true })
		if health := s.Snapshot().Health(); lines < minutes && (len(health) != 1 || !health[0].State.Trouble()) {
			t.Errorf("byte %d: %d lines, and it says %+v", at+60, lines, health)
		} else if lines < minutes {
			lost++
		}
		_ = p.Close()
	}
	if lost == 0 {
		t.Error("no line was ever lost; that says nothing")
	}
}
