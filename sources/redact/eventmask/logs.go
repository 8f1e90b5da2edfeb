package eventmask

import (
	"slices"
	"strings"

	"github.com/traintop/traintop/sources/redact"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/train"
)

// beginning is the unfinished state after the last line of a log.
type beginning struct {
	// keyLeft is how many more lines a private key may have; 0 outside a key. key reads
	// them.
	keyLeft int
	key     redact.KeyLines
	// wide is how many lines as wide as those of a key are above, and public is
	// true if they are a certificate's or a public key's. bare is true if one of the
	// lines in above begins something without a frame.
	wide         int
	public, bare bool
	// line is the last complete line if it may be the first line of
	// "name: X", "value: Y"; else "".
	line string
	// above are lines below which a secret may come, and left is how many more
	// lines are scanned together with them.
	above string
	left  int
	// frame is what is around the text of these lines, nil for none.
	frame *frame
}

const (
	// maxKeyLines bounds a private key in a log, without the lines of other writers. An
	// RSA key of 16,384 bits has some 200.
	maxKeyLines = 400
	// maxWide is how many lines of base64 below each other are no key yet.
	maxWide = 2
	// maxBegun bounds how many logs have such a state in memory.
	maxBegun = 8192
	// maxNameLine is the longest line that beginning.line keeps, in bytes.
	maxNameLine = 256
	// linesBelow is how many lines below a beginning are scanned together with
	// it; each secret line restarts the count.
	linesBelow = 8
	// maxAbove bounds the bytes of beginning.above.
	maxAbove = 8 << 10
	// cutText is the length from which a hit's text may be only the beginning of
	// a line: train.LogHit cuts at 512 bytes, or a little earlier to keep a
	// character whole.
	cutText = 508
)

func (r *Redactor) logged(e store.Logged) store.Logged {
	e.Lines = r.lines(e)
	e.Samples = r.samples(e.Samples)
	e.Hits = r.hits(e.Hits)
	e.Broken = r.broken(e.Broken)
	return e
}

// broken masks what a parser quoted of a line on which it broke.
func (r *Redactor) broken(all []train.BrokenLine) []train.BrokenLine {
	all = slices.Clone(all)
	for i := range all {
		all[i].Why = r.texts.Text(all[i].Why)
	}
	return all
}

func (r *Redactor) lines(e store.Logged) []train.LogLine {
	before := r.begun[e.Stream]
	lines := e.Lines
	for i := range e.Lines {
		was := e.Lines[i].Text
		open := e.Open && i+1 == len(e.Lines)
		safe, after := r.line(was, before, open || e.Lines[i].Cut > 0)
		if safe != was {
			if &lines[0] == &e.Lines[0] {
				lines = slices.Clone(e.Lines)
			}
			lines[i].Text = safe
		}
		if !open {
			before = after
		}
	}
	r.remember(e.Stream, before)
	return lines
}

func (r *Redactor) remember(stream train.StreamID, b beginning) {
	if len(r.begun) >= maxBegun {
		clear(r.begun)
	}
	r.begun[stream] = b
}

// line redacts one line, given the state before it.
func (r *Redactor) line(text string, before beginning, open bool) (string, beginning) {
	var after beginning
	if len(text) < maxNameLine && strings.Contains(text, "name") {
		after.line = text
	}
	if safe, is := r.keyLine(text, before, &after); is {
		return safe, after
	}
	if before.line != "" {
		name, prefix := withoutPrefix(before.line, text)
		if prefix == 0 {
			name = before.line + "\n"
		}
		if isValue(text[prefix:]) {
			return text[:prefix] + lastLine(r.texts.Text(name+text[prefix:])), after
		}
	}
	clean := r.texts.Text
	if open {
		clean = r.texts.OpenText
	}
	safe := clean(text)
	if from, to := r.texts.Framed(); to > 0 {
		after.frame = newFrame(text, from, to)
	}
	safe = r.below(text, safe, before, &after)
	r.beginKey(text, safe != text, &after)
	return safe, after
}

// beginKey records that lines of a private key may follow a line; masked is true if a
// secret was found in it.
func (r *Redactor) beginKey(text string, masked bool, after *beginning) {
	begins := beginsKey(text)
	if begins {
		after.public = !masked
	}
	heads := masked && redact.HeadsKey(text)
	switch {
	case heads, begins && masked && !strings.Contains(text, "-----END"):
		if after.keyLeft == 0 { // else a key of another writer begins between two lines of one
			after.key = redact.BelowBegin(redact.PrefixOfKey(text), heads)
		}
		after.keyLeft = maxKeyLines
	default:
		if before, lines, is := strings.Cut(text, "Private-Lines: "); is && strings.Trim(lines, "0123456789 \r") == "" {
			after.key, after.keyLeft = redact.BelowBegin(before, false), maxKeyLines // of PuTTY
		}
	}
}

// keyLine masks a line of a private key, and records what of a key may follow.
func (r *Redactor) keyLine(text string, before beginning, after *beginning) (safe string, is bool) {
	if redact.IsKeyWide(text) {
		after.wide, after.public = before.wide+1, before.public
	}
	if before.keyLeft == 0 {
		return r.texts.KeyLine(text), after.wide > maxWide && !after.public
	}
	if strings.Contains(text, "Private-MAC:") { // the end of PuTTY's, masked by itself
		return "", false
	}
	after.key, after.keyLeft = before.key, before.keyLeft
	switch part := after.key.Next(text); {
	case part == redact.KeyOver:
		after.keyLeft = 0
		return "", false
	case part == redact.NotOfKey:
		return "", false
	case part == redact.KeyEnd:
		after.keyLeft = 0
	case strings.TrimSpace(text) == "":
		return text, true
	}
	after.keyLeft = max(0, after.keyLeft-1)
	return r.texts.KeyLine(text), true
}

// below redacts a line together with the lines above it that begin something,
// and records with which lines the next ones have to be scanned.
func (r *Redactor) below(text, safe string, before beginning, after *beginning) string {
	joined, framed := "", after.frame != nil
	if before.left > 0 {
		joined = below(before.above, text)
	}
	if joined != "" && !framed {
		after.frame = before.frame
	}
	if joined != "" {
		after.above, after.left, after.bare = joined, before.left-1, before.bare
		if last := r.together(text, joined, before); last != safe && last != text {
			safe, after.left = last, linesBelow
		}
	}
	if after.left < linesBelow {
		if framed || redact.Begins(text) {
			after.bare = after.bare || !framed
			if after.above, after.left = joined, linesBelow; joined == "" {
				after.above = text
			}
		}
	}
	return safe
}

// together redacts a line by those above it, without the frame of its log, without the
// prefix that it shares with them, and as it is.
func (r *Redactor) together(text, joined string, before beginning) string {
	last := text
	if before.frame != nil {
		last = r.framed(before.frame, before.above, text)
	}
	if last != text || !before.bare {
		return last
	}
	if bare, prefix := withoutPrefix(before.above, text); bare != "" {
		last = text[:prefix] + lastLine(r.texts.Text(bare+text[prefix:]))
	}
	if last == text {
		last = lastLine(r.texts.Text(joined))
	}
	return last
}

// below appends a line to those above it. Of many lines those in the middle are left
// out: the first ones begin what goes on, and the last ones may have begun something
// else in it. "" is returned for a line that is too long to be scanned with others.
func below(above, text string) string {
	keep := linesBelow
	above = ends(above, keep)
	for len(above)+len(text) >= maxAbove {
		if keep /= 2; keep == 0 {
			return ""
		}
		above = ends(above, keep)
	}
	return above + "\n" + text
}

// ends returns the first and the last lines of a text, as many of each.
func ends(text string, keep int) string {
	if strings.Count(text, "\n") < 2*keep {
		return text
	}
	first, last := 0, len(text)
	for range keep {
		first += strings.IndexByte(text[first:], '\n') + 1
		last = strings.LastIndexByte(text[:last], '\n')
	}
	return text[:first] + text[last+1:]
}

func lastLine(text string) string { return text[strings.LastIndexByte(text, '\n')+1:] }

// beginsKey reports whether a line begins a key in PEM, or in SSH2's format
// (RFC 4716), which has a space there.
func beginsKey(text string) bool {
	return strings.Contains(text, "-----BEGIN") || strings.Contains(text, "---- BEGIN ")
}

// isValue reports whether a line is the second line of "name: X", "value: Y".
func isValue(text string) bool {
	text = strings.TrimLeft(text, " \t\"")
	return strings.HasPrefix(text, "value") && len(text) > 5 && (text[5] == ':' || text[5] == '"')
}

// samples redacts names of metrics, since programs choose them.
func (r *Redactor) samples(samples []train.Sample) []train.Sample {
	copied := false
	for i := range samples {
		for j := range samples[i].Metrics {
			name := samples[i].Metrics[j].Name
			if r.names[name] {
				continue
			}
			safe := r.texts.Text(name)
			if safe == name {
				r.know(name)
				continue
			}
			if !copied {
				samples, copied = slices.Clone(samples), true
			}
			metrics := slices.Clone(samples[i].Metrics)
			metrics[j].Name = safe
			samples[i].Metrics = metrics
		}
	}
	return samples
}

// maxNames bounds the cache of names.
const maxNames = 4096

func (r *Redactor) know(name string) {
	if len(r.names) >= maxNames {
		clear(r.names)
	}
	r.names[strings.Clone(name)] = true // it may share the memory of a line
}

func (r *Redactor) hits(hits []train.LogHit) []train.LogHit {
	copied := false
	for i := range hits {
		hit, changed := r.hit(hits[i])
		if !changed {
			continue
		}
		if !copied {
			hits, copied = slices.Clone(hits), true
		}
		hits[i] = hit
	}
	return hits
}

// hit redacts the text that a hit quotes. Its captures are parts of that text: no
// capture may contain a part of a secret that was found in it.
func (r *Redactor) hit(hit train.LogHit) (train.LogHit, bool) {
	text, secrets := r.texts.Secrets(hit.Text, len(hit.Text) >= cutText)
	frame := r.texts.Text(hit.Frame)
	changed := text != hit.Text || frame != hit.Frame
	hit.Text, hit.Frame = text, frame
	captures := slices.Clone(hit.Captures)
	for i, capture := range hit.Captures {
		if captures[i] = r.capture(capture, secrets); captures[i] != capture {
			changed = true
		}
	}
	hit.Captures = captures
	return hit, changed
}

// leastShared is how long a part of a secret has to be to reveal it.
const leastShared = 4

func (r *Redactor) capture(capture string, secrets []string) string {
	for _, secret := range secrets {
		if len(capture) >= leastShared && strings.Contains(secret, capture) {
			return partOfSecret
		}
	}
	return r.texts.Part(capture, secrets)
}

// partOfSecret replaces a capture that is part of a secret of its line.
const partOfSecret = "<redacted>"
