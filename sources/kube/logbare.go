package kube

import (
	"bytes"
	"errors"
)

// mostBare limits a line that does not begin with a time: times are requested
// with every log, and only the kubelet's own messages, which are short, have
// none.
const mostBare = 1 << 20

var errNoLog = errors.New("it sent no log: a line of more than 1 MiB without the time that was asked for; what follows is left out")

// errWebPage is the error for a page of a proxy, which asks to log in or reports
// that it is down, in place of a log.
var errWebPage = errors.New("it sent a web page and no log; a proxy or a login page may be in between")

// isWebPage reports whether an answer begins as HTML does. Lines of a log begin
// with the time that was asked for.
func isWebPage(begin []byte) bool {
	begin = bytes.ToLower(bytes.TrimLeft(begin, "\ufeff \t\r\n"))
	return bytes.HasPrefix(begin, []byte("<!doctype html")) || bytes.HasPrefix(begin, []byte("<html"))
}

// bareLine checks whether the current line begins with a time.
type bareLine struct {
	begin  [len("2006-01-02T")]byte
	have   int
	length int
}

// goesOn adds received text, and reports whether the current line cannot
// belong to a log.
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
