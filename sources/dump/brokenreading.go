package dump

import (
	"bufio"
	"bytes"
	"regexp"

	"github.com/traintop/traintop/sources/logfeed"
)

// longestBreak bounds such a line.
const longestBreak = 1 << 10

// heldEnd keeps the end of a text back until it is known to be its end.
type heldEnd struct{ held []byte }

// pass returns what may be passed on of the next part of a text.
func (h *heldEnd) pass(p []byte) (before, now []byte) {
	if len(p) <= longestBreak {
		before = h.held
		h.held = append(append([]byte{}, before...), p...)
		over := max(0, len(h.held)-longestBreak)
		before, h.held = h.held[:over:over], h.held[over:]
		return before, nil
	}
	before = h.held
	h.held = bytes.Clone(p[len(p)-longestBreak:])
	return before, p[:len(p)-longestBreak]
}

// end returns the end of a text without the line that reports why its reading
// broke off or that its keeper cut it, and that line, "" for none. A text of nothing else is left alone.
func (h *heldEnd) end(isAll bool) (text []byte, why string) {
	line := bytes.TrimRight(h.held, "\r\n \t")
	begin := bytes.LastIndexByte(line, '\n') + 1
	at := logfeed.ReaderWords(h.held[begin:])
	if at < 0 && logfeed.KeeperNotice(h.held[begin:]) {
		at = 0
	}
	if at < 0 || at == 0 && begin == 0 && (isAll || len(h.held) == longestBreak) {
		return h.held, ""
	}
	from := begin + at
	return h.held[:from], plain(string(line[from:]))
}

// answerLine matches lines that are there in place of a log, where somebody kept
// what the tool answered that was to read it: what breaks a reading off, kubectl's
// note of the container that it chose, the words of a shell without kubectl or
// rights, an API's refusal.
var answerLine = regexp.MustCompile(`^(?:` +
	`Defaulted container "|rpc error: code = \w+ desc = |(?:-?(?:ba|da|z|k)?sh|sudo|env): .*(?:kubectl|crictl|docker|/var/log/\S*)\S*: .*` +
	`|(?:kubectl|crictl|docker): (?:command )?not found|zsh: command not found: (?:kubectl|crictl|docker)|cat: /var/log/\S+: ` +
	`|\{"(?:error|errors|message|reason)": ?"[^"]*"(?:, ?"(?:code|status)": ?"?\w+"?)?\}$)`)

// answerInstead returns why a short file that has the name of a pod's log is none,
// "" for a log. A text of no pod may be what somebody asks about.
func (t *tail) answerInstead(text *bufio.Reader) string {
	if t.id.Pod == "" || t.in != nil {
		return ""
	}
	head, _ := text.Peek(longestBreak + 1) // a short text is no error
	is := func(line []byte) bool {
		line = bytes.TrimRight(line, "\r\n \t")
		return answerLine.Match(line) || logfeed.ReaderWords(line) == 0
	}
	if len(head) > longestBreak || !onlyLines(head, is) {
		return ""
	}
	return "this is what a tool answered that was to read the log, so nothing is known of that: " + plain(string(significant(head)))
}
