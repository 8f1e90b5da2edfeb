package logfeed

import (
	"bytes"
	"encoding/json"
	"time"
)

// frame takes off what a container runtime, the kubelet, kubectl, the journal or a
// collector put around a line. The frames of CRI, Docker's JSON, the journal and collectors are
// unmistakable and are looked for on each line. A bare time may also be the
// program's own. It is a frame if the API server was asked for it, or if every
// line so far has one with the nanoseconds that the kubelet writes. The first
// line without one shows that the times are the program's; from then on they
// stay in the text.
type frame struct {
	// server is true for an answer of the API server with timestamps=true.
	server bool
	// stamps reports whether the kubelet or the program wrote the times in front of a file's
	// lines.
	stamps whose
	// joined is true while the line continues in the next physical line (tag P
	// of CRI, a Docker record without \n at its end).
	joined bool
	// of is where the program printed the line that the frame was taken off last.
	of output
	// zone applies to times without a zone.
	zone *time.Location
	// order is what the dates of the log have shown of it.
	order dateOrder
	// records reads the records of collectors.
	records Records
}

// output is the descriptor that a line was printed to, as far as its frame shows
// it.
type output uint8

const (
	anyOutput output = iota
	standardOutput
	standardError
)

// differs reports whether two lines are known to have been printed to different outputs.
func (o output) differs(other output) bool {
	return o != other && o != anyOutput && other != anyOutput
}

func outputNamed(stream string) output {
	switch stream {
	case "stdout":
		return standardOutput
	case "stderr":
		return standardError
	}
	return anyOutput
}

type whose uint8

const (
	nobodyKnows whose = iota
	ofKubelet         // taken off
	ofProgram         // left in the text, and parsed
)

// Sizes that decide how much of a physical line must be read first.
const (
	// headSize is the size of the longest frame in front of a text: a stamp, " stderr ", tags.
	headSize = 64
	// maxRecord bounds a record of Docker's json-file, which splits lines at
	// 16 KiB before escaping (moby daemon/logger/copier.go), and of the journal,
	// which splits them at 48 KiB (systemd LineMax).
	maxRecord = 1 << 20
	// decideLines is how many lines decide whether the times are the kubelet's.
	decideLines = 64
)

var dockerStart = []byte(`{"log":"`)

func (f *frame) undecided() bool { return !f.server && f.stamps == nobodyKnows }

// stamped reports whether the kubelet put times in front of the lines.
func (f *frame) stamped() bool { return f.server || f.stamps == ofKubelet }

// ready reports whether enough of a physical line has arrived to take its frame off.
func (f *frame) ready(p []byte) bool {
	switch {
	case f.server:
		return len(p) > maxStamp || bytes.IndexByte(p, ' ') >= 0
	case isDocker(p), mayBeJournal(p), mayBeRecord(p):
		return len(p) >= maxRecord
	}
	return len(p) >= headSize || !beginsFrame(p)
}

// beginsFrame reports whether p may be the beginning of a frame.
func beginsFrame(p []byte) bool {
	return bytes.HasPrefix(dockerStart, p[:min(len(p), len(dockerStart))]) || len(p) < headSize && mayBeDocker(p) || mayBeStamp(p)
}

// decide detects the framing from the first lines of a file. It needs a whole
// line, or its beginning.
func (f *frame) decide(p []byte) {
	if len(p) < headSize && bytes.IndexByte(p, '\n') < 0 && beginsFrame(p) {
		return
	}
	all, nanoseconds := true, false
	for range decideLines {
		text, rest, more := bytes.Cut(p, []byte{'\n'})
		if len(text) > 0 && (more || len(text) >= headSize) {
			s := readStamp(text)
			all = all && s.size > 0 && followed(text, s.size)
			nanoseconds = nanoseconds || s.digits > 6
		}
		if p = rest; !more {
			break
		}
	}
	f.stamps = ofProgram
	if all && nanoseconds {
		f.stamps = ofKubelet
	}
}

// followed reports whether a space or the line's end follows a stamp.
func followed(p []byte, size int) bool { return len(p) == size || p[size] == ' ' }

// off takes the frame off the beginning of a physical line, or of the whole line
// if last. The text shares p's memory, or is a copy if decoded from JSON.
func (f *frame) off(p []byte, last bool) (at time.Time, text []byte) {
	f.joined, f.of = false, anyOutput
	if !f.server && last {
		if r, is := f.records.Line(p); is {
			return f.collected(r)
		}
	}
	if !f.server && last && isDocker(p) {
		if at, text, ok := f.docker(p); ok {
			return at, text
		}
	}
	if !f.server && last && mayBeJournal(p) {
		if at, text, ok := journal(p); ok {
			return at, text
		}
	}
	s := readStamp(p)
	if s.size == 0 || !followed(p, s.size) {
		if f.stamps == ofKubelet && len(bytes.TrimSpace(p)) > 0 {
			f.stamps = ofProgram
		}
		if f.server {
			return time.Time{}, p
		}
		return programStamp(p, f.zone, &f.order), p
	}
	after := p[min(s.size+1, len(p)):]
	if f.server {
		return s.at, after
	}
	if text, ok := f.cri(after); ok {
		return s.at, text
	}
	if f.stamps == ofKubelet {
		return s.at, after
	}
	return s.at, p
}

// collected returns the time and the line of a collector's record.
func (f *frame) collected(r Record) (at time.Time, text []byte) {
	f.joined, f.of, text = r.partial, r.of, []byte(r.Text)
	if at = r.At; at.IsZero() {
		at = programStamp(text, f.zone, &f.order)
	}
	return at, text
}

// cri reads "stdout F text", where tags are joined by ":" and the first is P
// for a part of a line (k8s.io/cri-api pkg/apis/runtime/v1/constants.go, kubelet 1.36).
func (f *frame) cri(p []byte) (text []byte, ok bool) {
	stream, rest, found := bytes.Cut(p[:min(len(p), headSize)], []byte{' '})
	if !found || string(stream) != "stderr" && string(stream) != "stdout" {
		return nil, false
	}
	tags := rest
	if end := bytes.IndexByte(rest, ' '); end >= 0 {
		tags = rest[:end]
	}
	first, _, _ := bytes.Cut(tags, []byte{':'})
	if string(first) != "F" && string(first) != "P" {
		return nil, false
	}
	f.joined, f.of = string(first) == "P", outputNamed(string(stream))
	return p[min(len(stream)+1+len(tags)+1, len(p)):], true
}

// isDocker reports whether a line begins like a record of Docker, also one that
// a tool wrote anew with blanks between the members.
func isDocker(p []byte) bool {
	rest, opens := bytes.CutPrefix(p[:min(len(p), headSize)], []byte("{"))
	rest, named := bytes.CutPrefix(bytes.TrimLeft(rest, " "), []byte(`"log"`))
	rest, has := bytes.CutPrefix(bytes.TrimLeft(rest, " "), []byte(":"))
	return opens && named && has && bytes.HasPrefix(bytes.TrimLeft(rest, " "), []byte(`"`))
}

// mayBeDocker reports whether the beginning of a line may become such a record.
func mayBeDocker(p []byte) bool {
	joined := bytes.ReplaceAll(p, []byte(" "), nil)
	return len(joined) > 0 && bytes.HasPrefix(dockerStart, joined[:min(len(joined), len(dockerStart))])
}

// docker reads a record of Docker's json-file log driver.
func (f *frame) docker(p []byte) (at time.Time, text []byte, ok bool) {
	var record struct {
		Log    string    `json:"log"`
		Stream string    `json:"stream"`
		Time   time.Time `json:"time"`
	}
	if json.Unmarshal(p, &record) != nil || record.Stream == "" && record.Time.IsZero() {
		return at, nil, false
	}
	text, whole := bytes.CutSuffix([]byte(record.Log), []byte{'\n'})
	f.joined, f.of = !whole, outputNamed(record.Stream)
	return record.Time, text, true
}
