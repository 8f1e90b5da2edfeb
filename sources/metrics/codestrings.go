package metrics

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/traintop/traintop/sources/metrics/tools"
)

// Programs quote what a tool printed: in a string of several lines, in a comment, or in a
// string for each line. Other texts write something before its lines.

// codeTexts matches the strings of several lines and the comments of programs. The text
// between two backticks of one line has no part of its own.
var codeTexts = regexp.MustCompile("(?s)`[^`\n]*`|`([^`]*\n[^`]*)`|\"\"\"(.*?)\"\"\"|'''(.*?)'''|R\"(?:\\w*)\\((.*?)\\)\\w*\"|/\\*+(.*?)\\*/")

// codeParts returns the strings and the comments of a program.
func codeParts(head []byte) [][]byte {
	var parts [][]byte
	for _, at := range codeTexts.FindAllSubmatchIndex(head, mostBlocks) {
		for i := 2; i < len(at); i += 2 {
			if at[i] >= 0 && bytes.IndexByte(head[at[i]:at[i+1]], '\n') >= 0 {
				parts = append(parts, stripStars(head[at[i]:at[i+1]]))
			}
		}
	}
	parts = append(parts, continuedStrings(head)...)
	for _, separator := range []string{"\n", ""} {
		if lines := joinQuotedLines(head, separator); lines != nil {
			parts = append(parts, lines)
		}
	}
	return append(parts, slashComments(head)...)
}

var (
	// continuedString matches a string of a program that goes on behind a backslash at the end
	// of a line.
	continuedString = regexp.MustCompile(`"((?:[^"\\\n]|\\[^\n])*\\\r?\n(?:[^"\\]|\\(?s:.))*)"`)
	lineContinued   = regexp.MustCompile(`\\\r?\n[ \t]*`)
)

// continuedStrings returns such strings.
func continuedStrings(head []byte) [][]byte {
	if !bytes.Contains(head, []byte("\\\n")) && !bytes.Contains(head, []byte("\\\r\n")) {
		return nil
	}
	var parts [][]byte
	for _, found := range continuedString.FindAllSubmatch(head, mostBlocks) {
		parts = append(parts, []byte(escapedInText.Replace(string(lineContinued.ReplaceAll(found[1], nil)))+"\n"))
	}
	return parts
}

// starred matches the beginning of a line of a comment.
var starred = regexp.MustCompile(`(?m)^[ \t]*\*(?: |\r?$)`)

// stripStars takes the star off each line of a comment, where all have one.
func stripStars(part []byte) []byte {
	lines := nonBlank(part)
	if len(lines) < 2 || !every(lines[1:], starred.Match) {
		return part
	}
	return starred.ReplaceAll(part, nil)
}

// slashed matches the sign before a line of a comment: // of C, % of MATLAB, -- of SQL and Lua,
// ; of assembler and of INI files.
var slashed = regexp.MustCompile(`(?m)^[ \t]*(?:///? ?|(?:%|--|;)(?: |[ \t]*\r?$))`)

// slashComments returns the comments of several lines without the sign before each.
func slashComments(head []byte) [][]byte {
	var parts [][]byte
	for len(head) > 0 && len(parts) < mostBlocks {
		run := linesWhile(head, slashed.Match)
		if bytes.Count(run, []byte{'\n'}) > 1 {
			parts = append(parts, slashed.ReplaceAll(run, nil))
		}
		if len(run) == 0 {
			_, head, _ = bytes.Cut(head, []byte{'\n'})
		}
		head = head[len(run):]
	}
	return parts
}

// backticked matches a line that is code of a note as a whole.
var backticked = regexp.MustCompile("^[ \t]*`([^`\n]+)`[ \t]*\r?$")

// lineOfCode returns the first line of a text without the signs of code around it.
func lineOfCode(head []byte) []byte {
	line, _, _ := bytes.Cut(head, []byte{'\n'})
	if found := backticked.FindSubmatch(line); found != nil {
		return append(bytes.Clone(found[1]), '\n')
	}
	return nil
}

// quotedLine matches a line of a program that is one string: `"0, 45 %\n"`, `"a" +`.
var quotedLine = regexp.MustCompile(`^[\s(+]*(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)')[\s,)+;\\]*(?://.*)?$`)

// escapedInText are the signs that programs escape in a string.
var escapedInText = strings.NewReplacer(`\n`, "\n", `\t`, "\t", `\r`, "", `\"`, `"`, `\\`, `\`)

// joinQuotedLines joins the first run of lines of a program each of which is one string, with a
// separator where no string has the end of a line.
func joinQuotedLines(head []byte, separator string) []byte {
	var texts []string
	for line := range bytes.Lines(head) {
		found := quotedLine.FindSubmatch(bytes.TrimRight(line, "\r\n"))
		if found == nil {
			if len(texts) > 1 {
				break
			}
			texts = nil
			continue
		}
		texts = append(texts, string(found[1])+string(found[2]))
	}
	if len(texts) < 2 {
		return nil
	}
	if slices.ContainsFunc(texts, func(text string) bool { return strings.Contains(text, `\n`) }) {
		separator = ""
	}
	return []byte(escapedInText.Replace(strings.Join(texts, separator)) + "\n")
}

// isStructured reports whether a line is one that a tool or an exporter prints.
func isStructured(line []byte) bool {
	text := bytes.TrimSpace(line)
	switch {
	case len(text) == 0:
		return false
	case bytes.HasPrefix(text, []byte("+--")), bytes.HasPrefix(text, []byte("| ")), bytes.HasPrefix(text, []byte("<?xml")):
		return true
	}
	return opensJSON(text) || promSample.Match(text) || promType.Match(text) || promHelp.Match(text) || tools.IsDmonHeading(string(text))
}

// opensJSON reports whether a line begins JSON: a bracket alone, or one before a name.
func opensJSON(line []byte) bool {
	line = bytes.TrimSpace(line)
	return len(line) == 1 && (line[0] == '[' || line[0] == '{') || bytes.HasPrefix(line, []byte(`{"`)) || bytes.HasPrefix(line, []byte(`[{`))
}

// jsonAt returns the JSON that begins a text, which may be cut; nil for another text. Its first
// bracket may be lost.
func jsonAt(head []byte) []byte {
	line, _, _ := bytes.Cut(head, []byte{'\n'})
	if line = bytes.TrimSpace(line); bytes.HasPrefix(line, []byte(`"`)) && bytes.Contains(line, []byte(`":{`)) {
		return append([]byte("{"), bytes.TrimSpace(head)...)
	}
	if !opensJSON(line) {
		return nil
	}
	decoder := json.NewDecoder(bytes.NewReader(head))
	var whole json.RawMessage
	err := decoder.Decode(&whole)
	var broken *json.SyntaxError
	switch {
	case err == nil:
		return head[:decoder.InputOffset()]
	case errors.Is(err, io.ErrUnexpectedEOF):
		return head
	case errors.As(err, &broken) && broken.Offset > leastJSON:
		return head[:broken.Offset-1] // cut, with other text behind it
	}
	return nil
}

// leastJSON is more than what code has in common with JSON.
const leastJSON = 64

// boxPrefix matches a border of a table with a prefix before it, and perhaps one behind it.
var boxPrefix = regexp.MustCompile(`^([^+|]{0,40}[^+|\s][^+|]{0,40}?)\+[-=+]{16,}\+?(?:( [^+|]{1,40}?))?\s*$`)

// mayHaveBorder reports whether a line has a part of a border.
func mayHaveBorder(line []byte) bool { return bytes.Contains(line, []byte("+-------")) }

// boxAfterPrefix returns the table whose lines have the prefix of its first border; nil where
// there is none.
func boxAfterPrefix(head []byte) []byte {
	line, _, _ := bytes.Cut(head, []byte{'\n'})
	found := boxPrefix.FindSubmatch(line)
	if found == nil || !bytes.Contains(found[1], bytes.TrimSpace(found[2])) {
		return nil
	}
	var box []byte
	for line := range bytes.Lines(head) {
		rest, is := bytes.CutPrefix(line, found[1])
		if !is {
			break
		}
		if plain, is := bytes.CutSuffix(bytes.TrimRight(rest, " \r\n"), found[2]); is && len(found[2]) > 0 {
			rest = append(bytes.Clone(plain), '\n')
		}
		box = append(box, rest...)
	}
	return box
}

// mostBefore bounds the prefix of a heading.
const mostBefore = 120

// headingAfterPrefix returns a text from the heading of a CSV on that ends its first line:
// "node1 | CHANGED | (stdout) index, name, utilization.gpu [%]".
func headingAfterPrefix(head []byte) []byte {
	line, _, _ := bytes.Cut(head, []byte{'\n'})
	if !bytes.Contains(line, []byte(", ")) {
		return nil
	}
	for at := 1; at < min(len(line), mostBefore); at++ {
		if line[at-1] == ' ' && tools.IsCSVHeading(string(bytes.TrimSpace(line[at:]))) {
			return linesWhile(head[at:], hasText)
		}
	}
	return nil
}

// stripQuoteSigns takes the sign of a quotation off the lines of a paragraph that have one; people
// write it before the first line alone.
func stripQuoteSigns(head []byte) []byte {
	if !bytes.HasPrefix(head, []byte("> ")) {
		return nil
	}
	return cleaned(linesWhile(head, hasText), func(line []byte) []byte { return bytes.TrimPrefix(line, []byte("> ")) })
}
