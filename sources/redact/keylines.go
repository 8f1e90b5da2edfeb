package redact

import "strings"

// Lines of private keys in PEM. Each may have a prefix (the time, a rank, a
// quote) and a colour, and lines of other writers may come between them.

const (
	// leastKeyLine is how long the base64 at the end of a line has to be to
	// belong to a key, and leastAlone how long where it is all of the line.
	leastKeyLine, leastAlone = 40, 16
	// maxOthers is how many lines of other writers may come between those of a key
	// that only look like base64, and maxForeign where they begin as its BEGIN line does:
	// each of the ranks of a node may write in between.
	maxOthers, maxForeign = 3, 64
	// mostPrefix is how many bytes before the BEGIN line are compared.
	mostPrefix = 256
)

// KeyPart is what a line can be in a private key.
type KeyPart uint8

// NotOfKey is any other line, KeyHeader one that may follow BEGIN (RFC 1421 and
// 4880, an empty line too), KeyBody base64 of a key's width, KeyRest a shorter line
// that may follow the last of these, KeyEnd the END line, and KeyOver a line below
// which no more of the key is looked for.
const (
	NotOfKey KeyPart = iota
	KeyHeader
	KeyBody
	KeyRest
	KeyEnd
	KeyOver
)

// KeyLines decides which of the lines below the BEGIN line of a private key belong
// to it: a log may have lines of other ranks between them, and their keys too.
type KeyLines struct {
	prefix string // what is before BEGIN, without colours
	body   bool   // a line of base64 was there
	// others is how many lines of others came since, and nested how many more keys
	// have begun that have not ended.
	others, nested int
}

// BelowBegin returns the reader for the lines below a BEGIN line, or a first line of
// base64 without one (HeadsKey), given what is before it on its line.
func BelowBegin(prefix string, body bool) KeyLines {
	return KeyLines{prefix: strings.Clone(withoutEscapes(prefix[:min(len(prefix), mostPrefix)])), body: body}
}

// PrefixOfKey returns what is before a BEGIN line, or before the base64 that ends a line.
func PrefixOfKey(line string) string {
	if at, _ := beginOfKey(line); at >= 0 {
		return line[:at]
	}
	before, _ := keyWord(line)
	return before
}

// Next returns what the next line is of the key: NotOfKey for a line of others.
func (k *KeyLines) Next(line string) KeyPart {
	if strings.Contains(line, "----") {
		begin, private := beginOfKey(line)
		switch {
		case (k.body || k.others == 0) && endsPrivateKey(line):
			if k.nested--; k.nested < 0 {
				return KeyEnd
			}
			k.others = 0
			return KeyBody
		case begin >= 0 && private:
			k.nested++
			return NotOfKey
		case begin >= 0 && !k.body: // a certificate below the mention of a key
			return KeyOver
		}
	}
	part := PartOfKey(line)
	switch {
	case part == KeyHeader && (strings.TrimSpace(line) == "" || !k.body && k.others == 0):
		return part
	case k.others <= maxOthers && (k.body || k.others == 0) && (part == KeyBody || part == KeyRest && k.body), k.isBehindPrefix(line):
		k.body, k.others = true, 0
		return KeyBody
	}
	if k.others++; k.others > maxForeign {
		return KeyOver
	}
	return NotOfKey
}

// isBehindPrefix reports whether a line is nothing but base64 behind the prefix of the
// BEGIN line, or behind the beginning of it, with digits of its own.
func (k *KeyLines) isBehindPrefix(line string) bool {
	before, word := keyWord(line)
	if len(word) < leastAlone || !k.body && len(word) < leastKeyLine {
		return false
	}
	return alternates(word) && beginsAlike(k.prefix, before)
}

// alternates reports whether capitals, small letters and digits alternate as in base64
// of a key, where each second character is of another sort than the one before; in
// names, paths and digests one in five is.
func alternates(word string) bool {
	var has [3]bool
	turns, before := 0, -1
	for i := range len(word) {
		class := 2
		switch c := word[i]; {
		case isUpper(c):
			class = 0
		case isLower(c):
			class = 1
		case !isDigit(c):
			continue
		}
		if has[class] = true; class != before && before >= 0 {
			turns++
		}
		before = class
	}
	return has[0] && has[1] && turns*3 >= len(word)
}

// beginsAlike reports whether a text begins as another, which may have other digits.
func beginsAlike(text, beginning string) bool {
	for len(beginning) > 0 {
		switch {
		case text == "":
			return false
		case isDigit(text[0]) && isDigit(beginning[0]):
			text, beginning = strings.TrimLeft(text, "0123456789"), strings.TrimLeft(beginning, "0123456789")
		case text[0] != beginning[0]:
			return false
		default:
			text, beginning = text[1:], beginning[1:]
		}
	}
	return true
}

// beginOfKey returns where the BEGIN of PEM or SSH2 begins in a line, -1 for none, and
// whether it is a private key's.
func beginOfKey(line string) (at int, private bool) {
	for _, begins := range [...]string{"-----begin ", "---- begin "} {
		if at = indexFold(line, begins); at >= 0 {
			label, _, closed := strings.Cut(line[at+len(begins):], "----")
			return at, closed && privateLabel(label)
		}
	}
	return -1, false
}

// endsPrivateKey reports whether a line has the END line of a private key.
func endsPrivateKey(line string) bool {
	to := endOfKey(line)
	return to > 0 && privateLabel(line[max(0, to-mostLabel):to])
}

// mostLabel is how long the END line of a key may be.
const mostLabel = 80

// keyWord returns the base64 that ends a line, and what is before it.
func keyWord(line string) (before, word string) {
	line = bareKeyLine(line)
	start := len(line)
	for start > 0 && isBase64Byte(line[start-1]) {
		start--
	}
	return line[:start], line[start:]
}

// bareKeyLine returns a line without colours and without what may be behind the base64.
func bareKeyLine(line string) string {
	line = strings.TrimRight(strings.TrimSuffix(strings.TrimRight(withoutEscapes(line), " \r\n"), " +"), " \t\r\n\\\"'`,;)}]")
	for hasSuffix(line, `\n`, `\r`) {
		line = strings.TrimRight(line[:len(line)-len("n")], `\ "'`)
	}
	return line
}

// PartOfKey returns what a line can be in a private key.
func PartOfKey(line string) KeyPart {
	line = bareKeyLine(line)
	before, word := keyWord(line)
	before = strings.Trim(before, " \t\"'`+([{,")
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
	line, _ := lineStart(text, at)
	k := BelowBegin(text[line:at], at == from)
	to, begun, strays, next := at, at, false, from
	for part := KeyBody; next < most && part != KeyEnd; {
		start := next
		end, newline := nextLine(text[:most], start)
		next = end + newline
		if !f.spend(end - start) {
			f.all(text, at, PrivateKey)
			return f.skip
		}
		if part = k.Next(text[start:end]); start == from && part == NotOfKey && PartOfKey(text[start:end]) == KeyRest {
			part, k.body, k.others = KeyBody, true, 0
		}
		if part == KeyOver {
			break
		}
		if part == KeyEnd {
			end = start + endOfKey(text[start:end])
		}
		switch {
		case part == NotOfKey:
			strays = true
			f.nestedBegin(text, start, end)
		case part != KeyHeader:
			if strays { // what came between stays
				f.add(begun, max(to, from), PrivateKey)
				begun, strays = start, false
			}
			to = end
		}
	}
	switch {
	case f.open && next >= len(text) && !strays:
		to = len(text)
	case to == at && !f.isAlone(text, from):
		return from // mentioned in a sentence
	case to == at:
		to = from
	}
	f.add(begun, to, PrivateKey)
	return to
}

// nestedBegin masks the BEGIN line of another key in a line.
func (f *finder) nestedBegin(text string, start, end int) {
	if at, private := beginOfKey(text[start:end]); private {
		from := start + at + len("-----begin ")
		if close := strings.Index(text[from:end], "----"); close >= 0 && f.isAlone(text, behindMarks(text, from+close, "-")) {
			f.add(start+at, behindMarks(text, from+close, "-"), PrivateKey)
		}
	}
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
