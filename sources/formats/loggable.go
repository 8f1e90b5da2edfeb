package formats

import (
	"bytes"
	"time"
)

var tqdmLoggable = format{
	name:   `tqdm-loggable`,
	source: `tqdm-loggable 0.2, tqdm_logging.py; levanter 1.x`,
	about:  `a bar written as a sentence; from a thousand steps on they are rounded, and the total is not used then`,
	read:   (*Parser).readLoggable,
	examples: []example{
		{lines: []string{
			`Progress on:train 586it/2.06kit rate:5.5s/it remaining:2:16:02 elapsed:55:45 loss=2.45`,
		}, want: `step=586 loss=2.45`},
		{lines: []string{
			`Progress on:train 20.0it/500it rate:2.1it/s remaining:03:48 elapsed:00:09 postfix:loss=7.31`,
		}, want: `step=20 loss=7.31 it_per_second=2.1`},
	},
}

// readLoggable parses "Progress on:NAME n/N rate:R remaining:T elapsed:T" and what the
// program appends.
func (p *Parser) readLoggable(l *line) bool {
	if !bytes.HasPrefix(l.text, []byte("Progress on:")) {
		return false
	}
	name, rest, counts := bytes.Cut(l.text, []byte("it/"))
	at := bytes.LastIndexByte(name, ' ')
	total, rest, rated := bytes.Cut(rest, []byte("it rate:"))
	rate, rest, left := bytes.Cut(rest, []byte(" remaining:"))
	remaining, rest, _ := bytes.Cut(rest, []byte(" elapsed:"))
	_, postfix, _ := bytes.Cut(rest, []byte(" "))
	if !counts || at < len("Progress on:") || !rated || !left {
		return false
	}
	b := bar{description: name[len("Progress on:"):at], postfix: bytes.TrimPrefix(postfix, []byte("postfix:"))}
	b.n, _ = rounded(name[at+1:])
	if of, exact := rounded(total); exact {
		b.of = of
	}
	if v, _, ok := readClock(remaining, 0); ok {
		b.remaining, b.hasLeft = time.Duration(v.number*float64(time.Second)), true
	}
	b.readRate(rate)
	if !b.transfer {
		p.bar(l, &b)
	}
	return true
}

// rounded parses a number with one of tqdm's SI prefixes; it is exact without a prefix.
func rounded(text []byte) (number float64, exact bool) {
	number, end, ok := readFloat(text, 0)
	if !ok {
		return 0, false
	}
	if end == len(text) {
		return number, true
	}
	switch text[end] {
	case 'k':
		return number * 1e3, false
	case 'M':
		return number * 1e6, false
	}
	return number, false
}
