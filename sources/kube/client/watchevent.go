package client

import (
	"io"
	"net/http"
	"strings"
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
	// read counts the bytes since the last event ended.
	read int64
}

// Read implements io.Reader.
func (b *eventBody) Read(p []byte) (int, error) {
	if b.read > MostOfEvent {
		return 0, &TooLargeError{"an event of the watch", "16 MiB"}
	}
	n, err := b.ReadCloser.Read(p)
	for _, c := range p[:n] {
		b.read++
		if b.scanner.take(c) && b.scanner.depth <= 0 {
			b.read, b.scanner = 0, objectScanner{}
		}
	}
	return n, err
}

// boundEvents limits the events of a watch. Frames of protobuf say their length, and
// client-go reads no more of them.
func boundEvents(request *http.Request, response *http.Response) {
	if request.URL.Query().Has("watch") && strings.Contains(response.Header.Get("Content-Type"), "json") {
		response.Body = &eventBody{ReadCloser: response.Body}
	}
}
