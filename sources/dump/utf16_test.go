package dump

import (
	wire "encoding/binary"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/traintop/traintop/train/kinds"
)

// inUTF16By encodes text as PowerShell and other Windows tools do.
func inUTF16By(order wire.AppendByteOrder, text string) string {
	var out []byte
	for _, unit := range utf16.Encode([]rune("\ufeff" + text)) {
		out = order.AppendUint16(out, unit)
	}
	return string(out)
}

// TestTextWithAByteOrderMark checks that the byte order mark determines how a
// file is read: as objects, as a log, and again for a manifest.
func TestTextWithAByteOrderMark(t *testing.T) {
	pod := podNamed("grüße-\U0001f600")
	for name, text := range map[string]string{
		"UTF-16, little end first, no mark": inUTF16By(wire.LittleEndian, pod)[2:], "UTF-16, big end first, no mark": inUTF16By(wire.BigEndian, pod)[2:],
		"UTF-16, little end first": inUTF16By(wire.LittleEndian, pod), "UTF-16, big end first": inUTF16By(wire.BigEndian, pod), "UTF-8": "\ufeff" + pod,
	} {
		h, files, err := readAll(t, Options{}, write(t, "pod.yaml", text))
		if err != nil || h.objects["ml/Pod/grüße-\U0001f600"] == nil {
			t.Errorf("%s: %v, %v", name, err, h.health)
			continue
		}
		if again, err := files.Manifest(kinds.PodKind, "ml", "grüße-\U0001f600"); err != nil || !strings.Contains(string(again), "grüße") {
			t.Errorf("%s: the manifest is %q, %v", name, again, err)
		}
	}
	h, _, err := readAll(t, Options{}, write(t, "train.log", inUTF16By(wire.LittleEndian, "step 1 loss 2.5\r\nstep 2 loss 2.4\r\n")))
	if err != nil {
		t.Errorf("a log: %v, %v", err, h.health)
	}
	if _, _, err := readAll(t, Options{}, write(t, "x.bin", "\xff\xfe\x00\x00\x01\x00\x00\x00\x00\x00")); err == nil || !strings.Contains(err.Error(), "binary data") {
		t.Errorf("no text behind a mark: %v", err)
	}
}
