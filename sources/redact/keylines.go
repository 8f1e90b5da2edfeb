package redact

import "strings"

// Lines of private keys in PEM. Each may have a prefix (the time, a rank, a
// quote) and a colour, and lines of other writers may come between them.

const (
	// leastKeyLine is how long the base64 at the end of a line has to be to
	// belong to a key, and leastAlone how long where it is all of the line.
	leastKeyLine, leastAlone = 40, 16
	// maxStray is how many lines of other writers may come between those of a key.
	maxStray = 3
)

// KeyPart is what a line can be in a private key.
type KeyPart uint8

// NotOfKey is any other line, KeyHeader one that may follow BEGIN (RFC 1421 and
// 4880, an empty line too), KeyBody base64 of a key's width, and KeyRest a shorter
// line that may follow the last of these.
const (
	NotOfKey KeyPart = iota
	KeyHeader
	KeyBody
	KeyRest
)

// PartOfKey returns what a line can be in a private key.
func PartOfKey(line string) KeyPart {
	line = strings.TrimRight(strings.TrimSuffix(strings.TrimRight(withoutEscapes(line), " \r\n"), " +"), " \t\r\n\\\"'`,;)}]")
	for hasSuffix(line, `\n`, `\r`) {
		line = strings.TrimRight(line[:len(line)-len("n")], `\ "'`)
	}
	start := len(line)
	for start > 0 && isBase64Byte(line[start-1]) {
		start--
	}
	word, before := line[start:], strings.Trim(line[:start], " \t\"'`+([{,")
	switch {
	case word == "" && strings.Trim(before, `"' +`) == "", isKeyHeader(before):
		return KeyHeader
	case len(word) >= leastKeyLine && len(word)%2 == 0, before == "" && len(word) >= leastAlone, before != "" && isFlattened(line):
		return KeyBody
	case before == "", len(word) >= leastAlone, strings.HasSuffix(word, "="):
		return KeyRest
	}
	return NotOfKey
}

func isBase64Byte(c byte) bool { return isAlnum(c) || c == '+' || c == '/' || c == '=' }

// isFlattened reports whether a line has several lines of a key, with spaces
// instead of newlines.
func isFlattened(line string) bool {
	long := false
	for word := range strings.FieldsSeq(line) {
		for i := range len(word) {
			if !isBase64Byte(word[i]) {
				return false
			}
		}
		long = long || len(word) >= leastKeyLine
	}
	return long
}

// isKeyHeader reports whether a text begins with the name of a header.
func isKeyHeader(line string) bool {
	line = strings.TrimLeft(line, " \t\"'|")
	for _, name := range [...]string{"Proc-Type:", "DEK-Info:", "Comment:", "Subject:", "Version:", "Hash:", "Charset:", "MessageID:"} {
		if strings.HasPrefix(line, name) {
			return true
		}
	}
	return false
}

// withoutEscapes returns a line without colours.
func withoutEscapes(line string) string {
	if strings.IndexByte(line, 0x1b) < 0 && indexFold(line, `1b[`) < 0 && !strings.Contains(line, `\033[`) {
		return line
	}
	var b strings.Builder
	for at := 0; at < len(line); {
		if n := escapeAt(line, at); n > 0 {
			at += n
			continue
		}
		b.WriteByte(line[at])
		at++
	}
	return b.String()
}

// keyBody masks a key whose BEGIN line is at..from, up to its END line or to the
// last line that can belong to it, and returns where that is.
func (f *finder) keyBody(text string, at, from int) int {
	most := min(len(text), from+maxPEM)
	to, begun, bodies, strays := at, at, 0, 0
	next := from
	for next < most {
		start := next
		end, newline := nextLine(text[:most], start)
		next = end + newline
		close, part := endOfKey(text[start:end]), PartOfKey(text[start:end])
		rest := part == KeyRest && (bodies > 0 || start == from)
		if close > 0 || part == KeyBody || rest {
			if strays > 0 { // what came between stays
				f.add(begun, to, PrivateKey)
				begun, strays = start, 0
			}
			if bodies++; close > 0 {
				end, next = start+close, most
			}
			to = end
		} else if part != KeyHeader {
			if strays++; bodies == 0 || strays > maxStray {
				break
			}
		}
	}
	switch {
	case f.open && next >= len(text) && strays == 0:
		to = len(text)
	case to == at && !f.isAlone(text, from):
		return from // mentioned in a sentence
	case to == at:
		to = from
	}
	f.add(begun, to, PrivateKey)
	return to
}

// isAlone reports whether nothing follows a BEGIN line on its line.
func (f *finder) isAlone(text string, from int) bool {
	end, _ := nextLine(text, from)
	return strings.Trim(text[from:end], " \r\t\"'`\\,;)]}|│") == ""
}

// nextLine returns where a line ends, and how long the newline is, which may be escaped.
func nextLine(text string, at int) (end, newline int) {
	for i := at; i < len(text); i++ {
		if text[i] == '\n' || text[i] == '\\' || text[i] == '\r' {
			if n := newlineAt(text, i); n != "" {
				return i, len(n)
			}
		}
	}
	return len(text), 0
}

// endOfKey returns where the END line of a key ends in a line, 0 for none.
func endOfKey(line string) int {
	for _, closes := range [...]string{"-----end ", "---- end "} {
		at := indexFold(line, closes)
		if at < 0 {
			continue
		}
		to := at + len(closes)
		if dashes := strings.Index(line[to:], "----"); dashes >= 0 && dashes < 64 {
			to += dashes
			for to < len(line) && line[to] == '-' {
				to++
			}
		}
		return to
	}
	return 0
}

// keyTail masks the lines before the END line of a private key whose BEGIN line is
// cut off.
func keyTail(f *finder, text string, at int) {
	if at < f.skip {
		return
	}
	label := text[at+len("-----end ") : min(len(text), at+80)]
	if dashes := strings.Index(label, "----"); dashes < 0 || !privateLabel(label[:dashes]) {
		return
	}
	to := at + endOfKey(text[at:min(len(text), at+96)])
	start, newline := lineStart(text, at)
	from := at
	if PartOfKey(text[start:at]) == KeyBody {
		from = start
	}
	for end, first := start-newline, true; newline > 0 && end > 0; first = false {
		start, newline = lineStart(text, end)
		part := PartOfKey(text[start:end])
		if part != KeyBody && (part != KeyRest || !first) || !f.spend(end-start) {
			break
		}
		from, end = start, start-newline
	}
	if from < at {
		f.add(from, to, PrivateKey)
	}
}

// keyHeads are how base64 of a private key begins whose BEGIN line is cut off: the
// version of PKCS #1 and #8 (RFC 8017 and 5958) and of SEC 1 keys (RFC 5915) in DER,
// and the magic of OpenSSH's format. Certificates and public keys begin otherwise.
var keyHeads = [...]string{
	"b3BlbnNzaC1rZXktdjE", // openssh-key-v1
	"MIGHAgEAM", "MIG2AgEAM", "MIHuAgEAM", "MC4CAQAwBQYDK2V", "MFECAQEwBQYDK2V", "MEcCAQAwBQYDK2V",
	"MHcCAQEEI", "MIGkAgEBBD", "MIHcAgEBBE", "MIHbAgEBBE",
}

// keyHead masks a private key without its BEGIN line, from the beginning of its
// base64 on.
func keyHead(f *finder, text string, at int) {
	if at < f.skip || at > 0 && isBase64Byte(text[at-1]) || !headsKey(text[at:]) {
		return
	}
	end := at
	for end < len(text) && isBase64Byte(text[end]) {
		end++
	}
	if end-at < leastKeyLine && !(f.open && end == len(text)) {
		return
	}
	f.add(at, end, PrivateKey)
	f.skip = max(end, f.keyBody(text, at, at))
}

// headsKey reports whether a text begins like the base64 of a private key: one of
// keyHeads, or a sequence of two bytes of length with version 0 (RSA, DSA), or with
// the algorithm of an encrypted key (PKCS #5).
func headsKey(text string) bool {
	for _, head := range keyHeads {
		if strings.HasPrefix(text, head) {
			return true
		}
	}
	if !strings.HasPrefix(text, "MII") || len(text) < leastKeyLine {
		return false
	}
	return strings.IndexByte("AQgw", text[5]) >= 0 && text[6:9] == "IBA" || strings.Contains(text[:leastKeyLine], "BgkqhkiG9w0BBQ")
}

// HeadsKey reports whether a line contains the first line of a private key without
// its BEGIN line: the lines below it belong to the key.
func HeadsKey(line string) bool {
	line = strings.TrimRight(withoutEscapes(line), " \t\r\n\\\"'`,;)}]")
	start := len(line)
	for start > 0 && isBase64Byte(line[start-1]) {
		start--
	}
	return len(line)-start >= leastKeyLine && headsKey(line[start:])
}

// lineStart returns where the line that ends at an offset begins, and how long the
// newline before it is, which may be escaped.
func lineStart(text string, end int) (start, newline int) {
	least := max(0, end-maxName*4)
	for i := end; i > least; i-- {
		if n := newlineBefore(text, i); n > 0 && (text[i-1] == '\n' || text[i-1] == 'n') {
			return i, n
		}
	}
	return least, 0
}

const (
	// leastKeyWide and mostKeyWide bound how wide tools write the lines of keys:
	// 64 characters, 70 in OpenSSH, 76 in MIME.
	leastKeyWide, mostKeyWide = 60, 80
)

// IsKeyWide reports whether a line is nothing but random base64 as wide as the
// lines of a key. Several below each other are a key, or a certificate.
func IsKeyWide(line string) bool {
	if len(line) < leastKeyWide || strings.IndexByte(line[:16], ' ') >= 0 {
		return false
	}
	line = strings.Trim(line, " \t\r\"',")
	for i := range len(line) {
		if !isBase64Byte(line[i]) {
			return false
		}
	}
	return len(line) >= leastKeyWide && len(line) <= mostKeyWide && random(line)
}
