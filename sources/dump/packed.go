package dump

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/traintop/traintop/sources/recording"
	"github.com/traintop/traintop/termtext"
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

// memberMagic begins a member of gzip as every tool writes it, with deflate. The first
// byte is in no text.
var memberMagic = []byte{0x1f, 0x8b, 8}

// startsMember reports whether bytes begin with the heading of a member (RFC 1952): flags
// that exist, and an operating system that has a number.
func startsMember(head []byte) bool {
	return len(head) >= 10 && bytes.HasPrefix(head, memberMagic) && head[3] < 1<<5 && (head[9] <= 13 || head[9] == 255)
}

// beforeMember returns the bytes before a gzip file within others.
func beforeMember(head []byte) []byte {
	if at := bytes.Index(head, memberMagic); at > 0 && startsMember(head[at:]) {
		return head[:at]
	}
	return head
}

// mixedText reads a text within which gzip files are, as cat makes it of a log and its rotated
// parts: they are unpacked in their place. What else is no text is passed on, and notes name it.
type mixedText struct {
	text   *bufio.Reader
	at     int64 // bytes of the file before the next one
	member *gzip.Reader
	begun  int64 // where the member began
	last   byte  // that was passed on
	window []byte
	ahead  int                      // bytes of the window before from the first on that is in no text
	noise  struct{ from, to int64 } // of the newest bytes that are no text
	notes  []string
}

// noiseWindow is how many bytes are judged at once, leastNoise the size of binary data that is
// named: less is what a process wrote while it died.
const noiseWindow, leastNoise = 512, 512

// ReadByte implements io.ByteReader, so that a member is not read beyond its end.
func (m *mixedText) ReadByte() (byte, error) {
	b, err := m.text.ReadByte()
	if err == nil {
		m.at++
	}
	return b, err
}

// packedText is the bytes of a mixedText as they are in the file.
type packedText struct{ *mixedText }

// Read implements io.Reader.
func (p packedText) Read(into []byte) (int, error) {
	n, err := p.text.Read(into)
	p.at += int64(n)
	return n, err
}

// Read implements io.Reader.
func (m *mixedText) Read(into []byte) (int, error) {
	for {
		if m.member == nil {
			return m.readPlain(into)
		}
		n, err := m.member.Read(into)
		if n > 0 {
			m.last = into[n-1]
		}
		if err != nil {
			m.member = nil
		}
		if err != nil && !errors.Is(err, io.EOF) {
			m.note(m.begun, m.at, "a gzip file that cannot be unpacked to its end")
		}
		if n > 0 {
			return n, nil
		}
	}
}

// readPlain reads up to the next member, which it opens.
func (m *mixedText) readPlain(into []byte) (int, error) {
	head, err := m.text.Peek(10)
	if len(head) == 0 {
		m.judge()
		m.noteNoise()
		return 0, err
	}
	if startsMember(head) {
		return m.openMember(into)
	}
	next, _ := m.text.Peek(min(m.text.Buffered(), len(into))) // it is there
	if at := bytes.IndexByte(next[1:], memberMagic[0]); at >= 0 {
		next = next[:at+1]
	}
	n := copy(into, next)
	_, _ = m.text.Discard(n) // it was examined before
	m.last = into[n-1]
	for len(next) > 0 {
		part := next[:min(len(next), noiseWindow-len(m.window))]
		m.window, next, m.at = append(m.window, part...), next[len(part):], m.at+int64(len(part))
		if len(m.window) == noiseWindow {
			m.judge()
		}
	}
	return n, nil
}

// openMember opens a member, on a line of its own.
func (m *mixedText) openMember(into []byte) (int, error) {
	m.judge()
	m.begun = m.at
	member, err := gzip.NewReader(packedText{m})
	if err != nil {
		m.note(m.begun, m.at, "it begins like a gzip file")
		return 0, nil
	}
	member.Multistream(false)
	if m.member = member; m.last == '\n' || m.last == 0 {
		return 0, nil
	}
	into[0], m.last = '\n', '\n'
	return 1, nil
}

// judge decides whether the newest bytes are text.
func (m *mixedText) judge() {
	window, begin, before := m.window, m.at-int64(len(m.window)), m.ahead
	first := max(0, slices.IndexFunc(window, noText))
	if m.window, m.ahead = m.window[:0], 0; first > 0 {
		m.ahead = len(window) - first
	}
	if len(bytes.Trim(window, "\x00")) == 0 || !binary(window) { // or a hole
		return
	}
	last := len(window)
	for last > first+1 && !noText(window[last-1]) {
		last--
	}
	if begin+int64(first)-m.noise.to > noiseWindow {
		m.noteNoise()
	}
	if m.noise.to == 0 {
		if m.noise.from = begin + int64(first); first == 0 {
			m.noise.from -= int64(before)
		}
	}
	m.noise.to = begin + int64(last)
}

// noText reports whether a byte is in no text of ASCII.
func noText(b byte) bool {
	return b >= 0x7f || b < ' ' && !bytes.ContainsRune([]byte("\t\n\r\b\a\f\x1b"), rune(b))
}

// noteNoise notes the newest bytes that are no text.
func (m *mixedText) noteNoise() {
	if m.noise.to-m.noise.from >= leastNoise {
		m.note(m.noise.from, m.noise.to, "binary data")
	}
	m.noise.from, m.noise.to = 0, 0
}

func (m *mixedText) note(from, to int64, what string) {
	m.notes = append(m.notes, fmt.Sprintf("%s from byte %d on: %s", termtext.Count(int(to-from), "byte"), from, what))
}

// unread describes what was not read, "" for nothing.
func (m *mixedText) unread() string {
	if m == nil || len(m.notes) == 0 {
		return ""
	}
	const most = 3
	return "within it is what is no text: " + termtext.Few(m.notes, most)
}

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
