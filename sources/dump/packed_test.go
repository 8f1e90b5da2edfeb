package dump

import (
	"archive/tar"
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/traintop/traintop/train"
)

// tarOf returns an archive of one file.
func tarOf(t *testing.T, name, text string) string {
	t.Helper()
	var out bytes.Buffer
	w := tar.NewWriter(&out)
	if err := w.WriteHeader(&tar.Header{Name: name, Mode: 0o600, Size: int64(len(text)), Format: tar.FormatUSTAR}); err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// TestFolderNamesWhatItCouldNotRead checks that a file of a folder that may be
// a log or a dump is a problem if it is not text, and that others are not.
func TestFolderNamesWhatItCouldNotRead(t *testing.T) {
	zstd, noise := "\x28\xb5\x2f\xfd\x24\x10\x81\x00", strings.Repeat("\x80\x01\xfe\x02", 100)
	png := "\x89PNG\r\n\x1a\n\x00\x00\x00\x0d" + noise
	archive := tarOf(t, "pods.yaml", podNamed("a"))
	for _, c := range []struct{ name, text, why string }{
		{"rank1.log.zst", zstd, "zstd data"}, {"rank1.log.1.xz", "\xfd7zXZ\x00" + noise, "xz data"}, {"pods.yaml.bz2", "BZh91AY" + noise, "bzip2 data"},
		{"rank1.log", noise, "binary data"}, {"pods.json", noise, "binary data"}, {"nodes.yaml", strings.Repeat("\x00", 4000), "binary data"},
		{"dump.tar", archive, "a tar archive; unpack it first"}, {"dump.tgz", gzipped(t, archive), "a tar archive"}, {"pods.yaml.gz", gzipped(t, archive), "a tar archive"},
		{"logs.zip", "PK\x03\x04" + noise, "a zip archive"}, {"a-0", noise, "binary data"},
		{"night.ttrec", "traintop recording v2\n" + noise, "a recording"}, {"night.ttrec.gz", gzipped(t, "traintop recording v2\n"+noise), "a recording"},
		{"cut.ttrec", "traintop recor", "a recording of traintop that is cut"},
		{"loss.png", png, ""}, {"model.safetensors", noise, ""}, {"model.bin", noise, ""}, {"model.pt", "PK\x03\x04" + noise, ""},
		{"events.out.tfevents.1700000000.host.12.0", noise, ""}, {"train-images-idx3-ubyte", noise, ""}, {"output.bin", noise, ""},
	} {
		path := write(t, "pod.yaml", podNamed("a-0"))
		file := filepath.Join(filepath.Dir(path), c.name)
		if err := os.WriteFile(file, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		h, files, err := readAll(t, Options{}, filepath.Dir(path))
		got, reported := h.health["file "+file]
		switch {
		case err != nil || h.objects["ml/Pod/a-0"] == nil:
			t.Errorf("%s: %v, %v", c.name, err, h.objects)
		case c.why == "" && (reported || files.Summary().OtherFiles != 1):
			t.Errorf("%s is something else, and is told as %+v", c.name, got)
		case c.why != "" && (got.State != train.SourceFailed || !strings.Contains(got.Text, c.why)):
			t.Errorf("%s: %+v, want ...%s...", c.name, got, c.why)
		}
	}
}

// TestHolesDoNotMakeALogBinary checks that a log with a run of zero bytes, as
// left by truncating a file in use, is read.
func TestHolesDoNotMakeALogBinary(t *testing.T) {
	hole := strings.Repeat("\x00", 2000)
	for _, text := range []string{hole + "step 1 loss 2.5\nstep 2 loss 2.4\n", "step 1 loss 2.5\n" + hole + "\nstep 2 loss 2.4\n"} {
		h, _, err := readAll(t, Options{}, write(t, "rank0.log", text))
		if err != nil {
			t.Errorf("%v, %v", err, h.health)
		}
	}
}

// Content that was unpacked with a right checksum is all there, whatever is behind it:
// the zeros of a tape are nothing, other bytes and a cut are reported.
func TestBytesBehindAGzipFileLoseNothing(t *testing.T) {
	text := strings.Repeat("step 1 loss 2.5\n", 1000) + "torch.OutOfMemoryError: CUDA out of memory.\n"
	whole, empty := gzipped(t, text), gzipped(t, "")
	for name, c := range map[string]struct{ packed, said string }{
		"whole":      {whole, ""},
		"zeros":      {whole + strings.Repeat("\x00", 5000), ""},
		"members":    {strings.Repeat(empty, 500) + gzipped(t, text[:100]) + "\x00\x00" + gzipped(t, text[100:]), ""},
		"other":      {whole + "xx", "behind the gzip data"},
		"cut member": {whole + empty[:12], "unexpected EOF"},
	} {
		lines, said := int64(0), ""
		for log := range snapshotOf(t, Options{}, write(t, "rank0.log.gz", c.packed)).Logs {
			lines, said = log.LinesRead(), log.Status.Text
		}
		if lines != 1001 || (c.said == "") != (said == "") || !strings.Contains(said, c.said) {
			t.Errorf("%s: %d lines, %q", name, lines, said)
		}
	}
}

// A log within which a gzip file is, as cat makes it of a log and its rotated parts, is read as
// all of them; bytes that are no text are named with where they are.
func TestGzipWithinALog(t *testing.T) {
	steps := func(from int) (text string) {
		for i := range 40 {
			text += fmt.Sprintf("step: %d loss: %d.5 id: %x\n", from+i, from+i, from*7919+i*104729)
		}
		return text
	}
	noise := strings.Repeat("\x80\x01\xfe\x02\x03\x9f\x10", 300)
	for name, c := range map[string]struct {
		text  string
		lines int
		state train.StreamState
		says  string
	}{
		"a member":                  {steps(1) + gzipped(t, steps(41)) + steps(81), 120, train.StreamEnded, ""},
		"behind half a line":        {steps(1) + "step: 9" + gzipped(t, steps(41)) + steps(81), 121, train.StreamEnded, ""},
		"two members at the end":    {steps(1) + gzipped(t, steps(41)) + gzipped(t, steps(81)), 120, train.StreamEnded, ""},
		"one that is cut":           {steps(1) + gzipped(t, steps(41))[:200], -1, train.StreamFailed, "200 bytes from byte " + strconv.Itoa(len(steps(1))) + " on: a gzip file that cannot be unpacked"},
		"other data":                {strings.Repeat(steps(1), 20) + noise + "\n" + steps(41), -1, train.StreamFailed, "2100 bytes from byte " + strconv.Itoa(20*len(steps(1))) + " on: binary data"},
		"a few bytes of a dead one": {steps(1) + "\x80\x01\xfe\x02\n" + steps(41), 81, train.StreamEnded, ""},
		"a hole":                    {steps(1) + strings.Repeat("\x00", 9000) + steps(41), 80, train.StreamEnded, ""},
	} {
		if log := onlyLog(t, c.text); log.state != c.state || c.lines >= 0 && log.lines != c.lines || !strings.Contains(log.text, c.says) || c.says == "" && log.text != "" {
			t.Errorf("%s: %+v", name, log)
		}
	}
}
