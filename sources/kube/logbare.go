package kube

import (
	"bytes"
	"errors"
)

// mostBare is how much of a line may come that begins with no time: times are
// asked for with every log, and only a kubelet's own words, which are short,
// have none.
const mostBare = 1 << 20

var errNoLog = errors.New("it sent no log: a line of more than 1 MiB without the time that was asked for; what follows is left out")

// bareLine looks at the line under way for a time at its beginning.
type bareLine struct {
	begin  [len("2006-01-02T")]byte
	have   int
	length int
}

// goesOn takes in what came, and reports whether the line under way is a line
// of no log.
func (b *bareLine) goesOn(text []byte) bool {
	if end := bytes.LastIndexByte(text, '\n'); end >= 0 {
		text, b.have, b.length = text[end+1:], 0, 0
	}
	b.have += copy(b.begin[b.have:], text)
	b.length += len(text)
	return b.length > mostBare && !b.timed()
}

func (b *bareLine) timed() bool {
	return b.begin[4] == '-' && b.begin[7] == '-' && b.begin[10] == 'T'
}
