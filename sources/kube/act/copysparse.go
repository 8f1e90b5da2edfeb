package act

import (
	"archive/tar"
	"bytes"
	"io"
	"os"
	"strings"
)

// isSparse reports whether the archive marks a file as having holes, as GNU
// tar does (formats gnu and pax). A few bytes of it may announce a petabyte.
func isSparse(header *tar.Header) bool {
	if header.Typeflag == tar.TypeGNUSparse {
		return true
	}
	for name := range header.PAXRecords {
		if strings.HasPrefix(name, "GNU.sparse.") {
			return true
		}
	}
	return false
}

// holeSize is the block size in which holes are kept: that of most file
// systems.
const holeSize = 4 << 10

var hole [holeSize]byte

// holeWriter writes a file and leaves holes for zero blocks.
type holeWriter struct{ file *os.File }

// Write implements io.Writer.
func (w holeWriter) Write(p []byte) (int, error) {
	written := 0
	for written < len(p) {
		part := p[written:min(len(p), written+holeSize)]
		var err error
		if bytes.Equal(part, hole[:len(part)]) {
			_, err = w.file.Seek(int64(len(part)), io.SeekCurrent)
		} else {
			_, err = w.file.Write(part)
		}
		if err != nil {
			return written, err
		}
		written += len(part)
	}
	return written, nil
}
