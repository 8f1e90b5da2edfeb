package client

import (
	"encoding/binary"
	"io"
	"net/http"
	"strings"

	"github.com/traintop/traintop/termtext"
)

// MostOfEvent limits one event of a watch. client-go's streaming decoder
// (apimachinery v0.36, runtime/serializer/streaming) throws larger ones away, but
// its reader of JSON frames holds them whole before.
const MostOfEvent = 16 << 20

// eventBody is the body of a watch in JSON. It ends at an event that is too large,
// before a reader has kept all of it.
type eventBody struct {
	io.ReadCloser
	scanner objectScanner
	// read counts the bytes of the event that has no end yet.
	read int64
	// err is the error after an event that is too large.
	err error
}

// Read implements io.Reader.
func (b *eventBody) Read(p []byte) (int, error) {
	if b.err != nil {
		return 0, b.err
	}
	n, err := b.ReadCloser.Read(p)
	whole := 0 // where the last event that ends in p ends
	for i, c := range p[:n] {
		if b.read == 0 && c == '\n' {
			continue // between events
		}
		if b.read++; b.read > MostOfEvent {
			b.err = &TooLargeError{"an event of the watch", termtext.Bytes(MostOfEvent)}
			return whole, b.err
		}
		if b.scanner.take(c) && b.scanner.depth <= 0 {
			b.read, b.scanner, whole = 0, objectScanner{}, i+1
		}
	}
	return n, err
}

// frameBody is the body of a watch in protobuf, whose frames begin with their length
// in four bytes (apimachinery v0.36, util/framer). It ends before an event that is
// too large, of which client-go would not report how large it is.
type frameBody struct {
	io.ReadCloser
	head [4]byte
	got  int    // bytes of head
	left uint32 // bytes of the frame that are still to come
}

// Read implements io.Reader.
func (b *frameBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	for rest := p[:n]; len(rest) > 0; {
		if b.left > 0 {
			passed := min(uint64(b.left), uint64(len(rest)))
			b.left, rest = b.left-uint32(passed), rest[passed:]
			continue
		}
		took := copy(b.head[b.got:], rest)
		b.got, rest = b.got+took, rest[took:]
		if b.got < len(b.head) {
			continue
		}
		if b.left, b.got = binary.BigEndian.Uint32(b.head[:]), 0; b.left > MostOfEvent {
			return 0, &TooLargeError{"an event of the watch, of " + termtext.Bytes(int64(b.left)) + ",", termtext.Bytes(MostOfEvent)}
		}
	}
	return n, err
}

// boundEvents limits the events of a watch.
func boundEvents(request *http.Request, response *http.Response) {
	if !request.URL.Query().Has("watch") {
		return
	}
	switch is := response.Header.Get("Content-Type"); {
	case strings.Contains(is, "json"):
		response.Body = &eventBody{ReadCloser: response.Body}
	case strings.Contains(is, "protobuf"):
		response.Body = &frameBody{ReadCloser: response.Body}
	}
}
