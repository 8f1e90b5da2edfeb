package dump

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"

	"github.com/traintop/traintop/sources/dump/document"
	"github.com/traintop/traintop/sources/dump/exported"
	"github.com/traintop/traintop/termtext"
)

// People paste objects with other text around them: the prompt and the command
// that printed them, warnings of kubectl, Markdown fences, an indentation of
// the whole. A wrapping describes the text around the objects. Its lines
// become blank, so that problems keep their line number.
type wrapping struct {
	fenced bool // objects are between fences, and any text outside of them
	fence  int  // the indentation of fences: others are part of an object
	indent []byte
	json   bool

	// loose: objects are between sentences, without fences.
	loose bool

	inside bool // of fences
	begun  bool // an object has begun
	apart  bool // of the objects: in the sentences before, between or after them
	// prose counts the non-blank lines outside of fences; firstProse is the
	// beginning of the first one.
	prose      int
	firstProse string
	// said is that text with the numbers of its lines kept, as far as there is room;
	// lines counts all lines.
	said  []byte
	lines int
}

var (
	fenceLine = regexp.MustCompile("^[ \t]*(?:```|~~~)[\\w+-]*[ \t]*\r?\n?$")
	// promptLine is a shell's prompt with or without a command: "$ kubectl
	// get", "jane@host:~/run$", "PS C:\run> kubectl", "[root@host ~]# exit".
	promptLine = regexp.MustCompile(`^[ \t]*(?:[\w.@~:/\\()\[\] +-]{0,80})?[$#%>❯](?:[ \t]+(?:kubectl|oc|k|sudo|cat|exit|logout|clear)\b.*|[ \t]*)\r?\n?$`)
	// betweenJSON is a comment or a YAML marker between JSON documents, none
	// of whose lines begins like this.
	betweenJSON  = regexp.MustCompile(`^[ \t]*(?:#|//)|` + markLine.String())
	slashComment = regexp.MustCompile(`^[ \t]*//`)
	// warningLine is a warning that kubectl prints with its answer.
	warningLine = regexp.MustCompile(`^[ \t]*(?:Warning: |[WIE][0-9]{4} [0-9:.]{8,} |Flag --|Defaulted container |Context "|Switched to context )`)
)

// promptSigns are the characters that end a prompt: a line without any of them
// needs no look at the whole pattern.
const promptSigns = "$#%>❯"

// wrappingOf detects text around the objects of a text. It returns nil if
// there is none, or if the rest of head does not parse as objects. whole: head
// is the whole text.
func wrappingOf(head []byte, whole bool) *wrapping {
	if !bytes.Contains(head, []byte("apiVersion")) || isWatched(head) {
		return nil
	}
	if end := bytes.LastIndexByte(head, '\n'); !whole && end >= 0 {
		head = head[:end+1]
	}
	w := &wrapping{}
	first := true
	raw := head
	head, _ = io.ReadAll(readWithoutStderr(bytes.NewReader(head))) // memory never fails
	for line := range bytes.Lines(head) {
		switch {
		case blank(line):
			continue
		case first && !w.fenced && fenceLine.Match(line):
			w.fenced, w.fence = true, document.Indentation(line)
		case isPrompt(line), warningLine.Match(line), slashComment.Match(line):
		case first && objectBegins(line):
			w.indent = bytes.Clone(line[:document.Indentation(line)])
			w.json = bytes.TrimSpace(line)[0] == '{' || bytes.TrimSpace(line)[0] == '['
			first = false
		}
	}
	switch {
	case first:
		return nil
	case w.unwraps(head, raw, whole):
		return w
	}
	if w.loose, w.apart = true, true; mayBeLoose(head, whole) && w.unwraps(head, raw, whole) {
		return w
	}
	return nil
}

// unwraps reports whether a text without the text around its objects has only objects.
func (w *wrapping) unwraps(head, raw []byte, whole bool) bool {
	unwrapped, err := io.ReadAll(w.reader(bytes.NewReader(head)))
	return err == nil && !bytes.Equal(unwrapped, raw) && parsesAsObjects(unwrapped, whole)
}

// isPrompt reports whether a line is a prompt and not a YAML field with folded
// text ("note: >").
func isPrompt(line []byte) bool {
	return bytes.ContainsAny(line, promptSigns) && promptLine.Match(line) && !mappingLine.Match(line)
}

// objectBegins reports whether a line may begin an object or a list.
func objectBegins(line []byte) bool {
	line = bytes.TrimSpace(line)
	return objectLine.Match(line) || line[0] == '{' && (len(line) == 1 || exported.StartsJSON(line)) || len(line) == 1 && line[0] == '['
}

// parsesAsObjects reports whether a text has only Kubernetes objects. The last
// piece may be cut off unless the text is whole.
func parsesAsObjects(text []byte, whole bool) bool {
	is, _ := detect(text)
	if is != isYAML && is != isJSON {
		return false
	}
	var results []found
	o := opened{text: bufio.NewReader(bytes.NewReader(text)), is: is}
	err := newCutter(o, maxPiece).cut(func(p piece) bool {
		results = append(results, decode(p)...)
		return true
	})
	objects, broken := 0, 0
	for _, f := range results {
		switch {
		case f.err == nil:
			objects++
		case !f.unnamed: // its list names it later
			broken++
		}
	}
	if whole {
		return err == nil && broken == 0 && (objects > 0 || len(results) > 0)
	}
	return broken <= 1 && len(results) > broken
}

// reader reads a text without the text around its objects.
func (w *wrapping) reader(in io.Reader) *unwrapped {
	u := *w
	return &unwrapped{wrapping: u, text: bufio.NewReaderSize(in, sniffSize)}
}

type unwrapped struct {
	wrapping
	text *bufio.Reader
	rest []byte // of a line
	long bool   // inside a line that is longer than the buffer
	err  error
}

func (u *unwrapped) Read(into []byte) (int, error) {
	for len(u.rest) == 0 {
		if u.err != nil {
			return 0, u.err
		}
		var line []byte
		line, u.err = u.text.ReadSlice('\n')
		ended := !errors.Is(u.err, bufio.ErrBufferFull)
		if !ended {
			u.err = nil
		}
		if len(line) > 0 && !u.long {
			line = u.line(line)
		}
		u.rest, u.long = line, !ended
	}
	n := copy(into, u.rest)
	u.rest = u.rest[n:]
	return n, nil
}

// line returns a line as the objects' parser should see it.
func (w *wrapping) line(line []byte) []byte {
	w.lines++
	switch {
	case w.fenced && fenceLine.Match(line) && document.Indentation(line) == w.fence:
		w.inside, w.apart = !w.inside, w.loose
		return w.gap()
	case w.fenced && !w.inside:
		w.addProse(line)
		return []byte{'\n'}
	case !bytes.HasPrefix(line, w.indent) && blank(line):
		return line
	}
	line = bytes.TrimPrefix(line, w.indent)
	if w.loose {
		if between, is := w.sentence(line); is {
			return between
		}
	}
	switch {
	case w.json && betweenJSON.Match(line), !w.begun && slashComment.Match(line):
		return []byte{'\n'}
	case isPrompt(line) && document.Indentation(line) == 0:
		return w.gap()
	case !w.begun && warningLine.Match(line):
		return []byte{'\n'}
	case !blank(line):
		w.begun = true
	}
	return line
}

// addProse counts and keeps a line outside of fences.
func (w *wrapping) addProse(line []byte) {
	if missing := w.lines - 1 - bytes.Count(w.said, []byte{'\n'}); len(w.said)+missing+len(line) < mostSaid && !fenceLine.Match(line) {
		w.said = append(append(w.said, bytes.Repeat([]byte{'\n'}, missing)...), line...)
	}
	if line = bytes.TrimSpace(line); len(line) == 0 || isPrompt(line) || warningLine.Match(line) {
		return
	}
	if w.prose++; w.prose == 1 {
		w.firstProse = termtext.Short(string(line), 60)
	}
}

// mostSaid is how much of the text around objects is kept.
const mostSaid = 64 << 10

// failureWord is in a text that may name what went wrong; a question has none.
var failureWord = regexp.MustCompile(`(?i)error|exception|traceback|fail|warning|unable|cannot|can't|denied|forbidden|refused|time(?:d )?out|insufficient|unavailable|unschedulable|not (?:found|available|ready)|exceeded|killed|oom|evict|crash|backoff|xid|\bnan\b`)

// saidAside returns the text outside of fences as a log; false if it cannot name a failure.
func (o *opened) saidAside() (opened, bool) {
	if o.around == nil || !failureWord.Match(o.around.said) {
		return opened{}, false
	}
	return opened{text: bufio.NewReader(bytes.NewReader(o.around.said)), is: isLog, packed: true}, true
}

// aside describes the text outside of fences, once the objects are read; ""
// for none.
func (o *opened) aside() string {
	if o.around == nil || o.around.prose == 0 {
		return ""
	}
	n := o.around.prose
	return fmt.Sprintf("%s around the objects %s not read (%q)", termtext.Count(n, "line"), termtext.Agree(n, "was", "were"), o.around.firstProse)
}

// gap returns the separator between the answers of two commands.
func (w *wrapping) gap() []byte {
	if w.json || !w.begun {
		return []byte{'\n'}
	}
	return []byte("---\n")
}
