package formats

import "bytes"

// traceback reports whether a line belongs to a Python traceback: a frame, the source
// below it, which may be "train_loss = 0.0", or the error itself.
func (s *stream) traceback(text []byte) bool {
	if bytes.HasPrefix(trimBlanks(text), []byte(`File "`)) {
		s.sourceNext = true
		return true
	}
	if s.sourceNext {
		s.sourceNext = false
		return true
	}
	colon := bytes.IndexByte(text, ':')
	return colon > 5 && colon < 60 && bytes.IndexByte(text[:colon], ' ') < 0 &&
		(bytes.HasSuffix(text[:colon], []byte("Error")) || bytes.HasSuffix(text[:colon], []byte("Exception")))
}
