package dump

import (
	"bytes"
	"regexp"
)

// foreignTexts are texts, by their beginning, that consist of text but not of
// log lines.
var foreignTexts = []struct {
	begins *regexp.Regexp
	what   string
}{
	{regexp.MustCompile(`^version https://git-lfs\.github\.com/spec/`), "a pointer of Git LFS, not the file itself; git lfs pull fetches that"},
	{regexp.MustCompile(`(?i)^<(?:!doctype html|html|head|body|div|span|pre|table|p)[\s>]`), "a web page, not a log; save the text itself"},
	{regexp.MustCompile(`^<\?xml |^<svg`), "XML, not a log; save the text itself"},
	{regexp.MustCompile(`^\{\\rtf`), "a document in RTF, not a log; save the text itself"},
	{regexp.MustCompile(`^%PDF-`), "a document in PDF, not a log; save the text itself"},
	{regexp.MustCompile(`^(?:diff --git |--- \S.*\n\+\+\+ \S)`), "a patch, not a log"},
	{regexp.MustCompile(`(?m)\A(?:[A-Z][A-Za-z-]+: .*\r?\n(?:[ \t].*\r?\n)*)*Content-Transfer-Encoding: (?:base64|quoted-printable)`), "a letter whose text is encoded; save the text itself"},
	{regexp.MustCompile(`^-----BEGIN [A-Z0-9 ]+-----`), "a key, a certificate or a signed text, not a log"},
	{regexp.MustCompile(`^#!.*\b(?:python[0-9.]*|bash|sh|zsh|node|perl|ruby)\r?\n`), "a program, not what it printed"},
}

// base64Line is a line that only occurs in encoded data: long, without a
// blank.
var base64Line = regexp.MustCompile(`^[A-Za-z0-9+/_-]{40,}={0,2}\r?\n?$`)

// foreignText describes a text that is certainly not a log, "" for any other.
func foreignText(head []byte) string {
	text := bytes.TrimSpace(head)
	for _, f := range foreignTexts {
		if f.begins.Match(text[:min(len(text), 2048)]) {
			return f.what
		}
	}
	switch {
	case isBase64(text):
		return "data in base64; decode it first (base64 -d)"
	case mixedUTF16(head):
		return "text in UTF-8 and in UTF-16 in one file, of which one part is not read; save each by itself"
	}
	return ""
}

// isBase64 reports whether all lines of a text, except the last, are base64.
func isBase64(text []byte) bool {
	lines := 0
	for line := range bytes.Lines(text) {
		if !base64Line.Match(line) && (lines == 0 || bytes.ContainsAny(line, " \t")) {
			return false
		}
		lines++
	}
	return lines > 1 || lines == 1 && len(text) > 200
}

// mixedUTF16 reports whether a UTF-8 text contains a run of letters
// alternating with NULs.
func mixedUTF16(head []byte) bool {
	run := 0
	for i := 1; i < len(head); i += 2 {
		if (head[i-1] == 0) != (head[i] == 0) {
			if run++; run >= 16 {
				return true
			}
		} else {
			run = 0
		}
	}
	return false
}
