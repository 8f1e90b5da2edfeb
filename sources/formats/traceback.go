package formats

import "bytes"

// traceback reports the lines of a Python traceback: the places, the source
// below each, which may well say "train_loss = 0.0", and the error itself.
func (s *stream) traceback(text []byte) bool {
	if bytes.HasPrefix(bytes.TrimLeft(text, " \t"), []byte(`File "`)) {
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
