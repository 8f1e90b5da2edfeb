package dump

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/traintop/traintop/sources/recording"
)

// packings maps the first bytes of archives and compressed data to their type.
var packings = []struct {
	magic string
	at    int
	what  string
}{
	{"\x28\xb5\x2f\xfd", 0, "zstd data, not Kubernetes objects or a log; unpack it first"},
	{"\xfd7zXZ\x00", 0, "xz data; unpack it first"},
	{"BZh", 0, "bzip2 data; unpack it first"},
	{"\x04\x22\x4d\x18", 0, "lz4 data; unpack it first"},
	{"7z\xbc\xaf\x27\x1c", 0, "a 7z archive; unpack it first"},
	{"PK\x03\x04", 0, "a zip archive; unpack it first"},
	{"ustar", 257, "a tar archive; unpack it first"},
}

// packing returns the type of a compressed file or archive, "" for none.
func packing(head []byte) string {
	for _, p := range packings {
		if len(head) > p.at && bytes.HasPrefix(head[p.at:], []byte(p.magic)) && (p.magic != "BZh" || binary(head)) {
			return p.what
		}
	}
	switch {
	case recording.Is(head):
		return "a recording of traintop; give it alone, and unpacked"
	case len(head) >= 10 && recording.Begins(head):
		return "a recording of traintop that is cut in its first line, so it holds nothing"
	}
	return ""
}

var (
	// textName ends a usual name of a log or dump.
	textName = regexp.MustCompile(`\.(?:logs?|txt|out|err|jsonl|ndjson|ya?ml|json)(?:[.-][0-9]{1,14})*$`)
	// packedName ends the name of a compressed file or archive.
	packedName = regexp.MustCompile(`(?:\.(?:gz|zst|zstd|xz|bz2|lz4|7z|zip|tar|tgz|txz|tbz2?|tzst))+$`)
	// recordingName ends the name of a recording.
	recordingName = regexp.MustCompile(`\.ttrec$`)
)

// gunzip unpacks the members of a gzip file one after the other. As gzip(1) does, it
// passes over zeros behind the last one, which tapes and files of a fixed size have, and
// takes anything else there for an error that loses nothing of what is before it.
type gunzip struct {
	packed *bufio.Reader
	member *gzip.Reader
}

func newGunzip(packed *bufio.Reader) (*gunzip, error) {
	member, err := gzip.NewReader(packed)
	if err != nil {
		return nil, err
	}
	member.Multistream(false)
	return &gunzip{packed, member}, nil
}

func (g *gunzip) Read(into []byte) (int, error) {
	for {
		n, err := g.member.Read(into)
		if !errors.Is(err, io.EOF) {
			return n, err
		}
		if err := g.next(); err != nil || n > 0 {
			return n, err
		}
	}
}

// next goes on to the next member; without one the error is io.EOF.
func (g *gunzip) next() error {
	zero, err := byte(0), error(nil)
	for zero == 0 {
		if zero, err = g.packed.ReadByte(); err != nil {
			return err
		}
	}
	if err := g.packed.UnreadByte(); err != nil {
		return err
	}
	if magic, _ := g.packed.Peek(len(gzipMagic)); !bytes.Equal(magic, gzipMagic) {
		return errors.New("behind the gzip data are bytes that are none")
	}
	if err := g.member.Reset(g.packed); err != nil {
		return err
	}
	g.member.Multistream(false)
	return nil
}

var gzipMagic = []byte{0x1f, 0x8b}

// missed reports whether a file of a folder that is not text may have what a
// reader of the folder looks for: it has the name of a log or a dump, or of an
// archive, which may contain anything. Images and weights do not count,
// although some of them are archives by their first bytes.
func missed(path string, known pods) bool {
	base := strings.ToLower(filepath.Base(path))
	inner := packedName.ReplaceAllString(base, "")
	switch {
	case textName.MatchString(inner), flightDump.MatchString(inner), recordingName.MatchString(inner):
		return true
	case inner != base && filepath.Ext(inner) == "":
		return true
	}
	p, _ := podFromName(inner, "", known)
	return p != nil || inner == "log" || inner == "stdout" || inner == "stderr" || inner == "output"
}
