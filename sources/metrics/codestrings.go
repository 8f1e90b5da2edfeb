package metrics

import (
	"bytes"
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
	for _, separator := range []string{"\n", ""} {
		if lines := joinQuotedLines(head, separator); lines != nil {
			parts = append(parts, lines)
		}
	}
	return append(parts, slashComments(head)...)
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

// slashed matches the sign before a line of a comment.
var slashed = regexp.MustCompile(`(?m)^[ \t]*///? ?`)

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
	return promSample.Match(text) || promType.Match(text) || promHelp.Match(text) || tools.IsDmonHeading(string(text))
}

// boxPrefix matches a border of a table with a prefix before it.
var boxPrefix = regexp.MustCompile(`^([^+|]{0,40}[^+|\s][^+|]{0,40}?)\+[-=+]{16,}\+?\s*$`)

// boxAfterPrefix returns the table whose lines have the prefix of its first border; nil where
// there is none.
func boxAfterPrefix(head []byte) []byte {
	line, _, _ := bytes.Cut(head, []byte{'\n'})
	found := boxPrefix.FindSubmatch(line)
	if found == nil {
		return nil
	}
	var box []byte
	for line := range bytes.Lines(head) {
		rest, is := bytes.CutPrefix(line, found[1])
		if !is {
			break
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
