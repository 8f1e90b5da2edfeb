package e2e

import (
	"bytes"
	"encoding/binary"
	"io"
	"os"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// unpacked is a recording with all compressed parts unpacked: its bytes as they
// are, and after them the records of each chunk. It reads the file by
// docs/recording.md alone, with none of the code that wrote it.
func unpacked(t *testing.T, path string) []byte {
	t.Helper()
	file, err := os.ReadFile(path)
	must(t, err)
	const head = 52
	type chunk struct {
		packed []byte
		raw    int64
	}
	chunks := map[uint32]*chunk{}
	var order []uint32
	for at := bytes.IndexByte(file, '\n') + 1; at+head <= len(file) && string(file[at:at+4]) == "TTpc"; {
		kind, number := file[at+4], binary.LittleEndian.Uint32(file[at+8:])
		raw, size := binary.LittleEndian.Uint32(file[at+32:]), int(binary.LittleEndian.Uint32(file[at+36:]))
		if bytes.IndexByte([]byte("emks"), kind) >= 0 {
			c := chunks[number]
			if c == nil {
				c = &chunk{}
				chunks[number], order = c, append(order, number)
			}
			c.packed, c.raw = append(c.packed, file[at+head:at+head+size]...), c.raw+int64(raw)
		}
		at += head + size
	}
	if len(order) == 0 {
		t.Fatalf("%s has no piece with records", path)
	}
	all := bytes.Clone(file)
	for _, number := range order {
		c := chunks[number]
		unpack, err := zstd.NewReader(bytes.NewReader(c.packed))
		must(t, err)
		records := make([]byte, c.raw)
		_, err = io.ReadFull(unpack, records)
		must(t, err)
		unpack.Close()
		all = append(all, records...)
	}
	return all
}
