package redact

import (
	"strings"
)

func isUpper(c byte) bool { return c >= 'A' && c <= 'Z' }
func isLower(c byte) bool { return c >= 'a' && c <= 'z' }
func isDigit(c byte) bool { return c >= '0' && c <= '9' }
func isAlnum(c byte) bool { return isUpper(c) || isLower(c) || isDigit(c) }
func isHex(c byte) bool   { return isDigit(c) || c|0x20 >= 'a' && c|0x20 <= 'f' }
func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

// isPlaceholder reports whether a value is empty, a word for none, or a reference to
// the value: $(HF_TOKEN), <token>, /run/secrets/token.
func isPlaceholder(value string) bool {
	if value == "" || oneOf(value, "|", ">", "|-", ">-", "|+", ">+") || len(value) > 1 && oneOf(value, "true", "false", "none", "null", "nil", "yes", "no", "undefined", "unset", "empty", "str", "string", "bytes", "int", "[redacted]", "redacted", "masked", "hidden", "optional[str]") {
		return true
	}
	if strings.Contains(value, "<redacted") || noneInBrackets(value) {
		return true
	}
	last := value[len(value)-1]
	switch value[0] {
	case '$':
		return reference(value[1:])
	case '<':
		return last == '>'
	case '{':
		return last == '}'
	case '%':
		return len(value) == 2 || last == '%' || strings.HasPrefix(value, "%(")
	case '/', '~', '.':
		return isPath(value)
	}
	return strings.HasPrefix(value, "sha256:") || strings.Count(value, value[:1]) == len(value) && !isAlnum(value[0]) ||
		len(value) > 2 && strings.Trim(value, "xX") == ""
}

// noneInBrackets reports whether brackets state that there is no value: (empty),
// (not set), even if a space cut off the rest.
func noneInBrackets(value string) bool {
	if value[0] != '(' {
		return false
	}
	return oneOf(strings.TrimSuffix(value[1:], ")"), "none", "empty", "unset", "not", "no", "null", "nil", "blank", "hidden", "masked", "redacted", "default", "optional", "required", "sensitive",
		"not set", "not provided", "no value", "not given", "not configured")
}

func oneOf(value string, words ...string) bool {
	for _, w := range words {
		if strings.EqualFold(value, w) {
			return true
		}
	}
	return false
}

// isParameter reports whether a value is the name of a model's parameter or of a
// file: layer3.weight.
func isParameter(value string) bool {
	last := strings.LastIndexAny(value, "./")
	if last <= 0 || len(value)-last < 4 {
		return false
	}
	for i := range len(value) {
		c := value[i]
		if !isLower(c) && c != '_' && (i > last || !isDigit(c) && c != '.' && c != '/' && c != '-') {
			return false
		}
	}
	return true
}

// reference reports whether a text is what follows the $ of $(NAME), ${NAME} and
// $NAME. One with a value of its own is none.
func reference(rest string) bool {
	if value := defaultIn(rest); value != "" && !isPlaceholder(value) {
		return false
	}
	if len(rest) > 2 && (rest[0] == '(' && rest[len(rest)-1] == ')' || rest[0] == '{' && rest[len(rest)-1] == '}') {
		return true
	}
	for i := range len(rest) {
		if !isUpper(rest[i]) && rest[i] != '_' && !(i > 0 && isDigit(rest[i])) {
			return false
		}
	}
	return rest != ""
}

// defaultIn returns the value that is in a reference for the case that its
// name is not set: ${NAME:-VALUE} of a shell, ${oc.env:NAME,VALUE} of OmegaConf.
func defaultIn(rest string) string {
	inner, closed := strings.CutSuffix(rest, "}")
	if !closed || inner[0] != '{' {
		return ""
	}
	value := ""
	for _, before := range []string{":-", ":=", ","} {
		if _, after, found := strings.Cut(inner, before); found {
			value = after
			break
		}
	}
	return strings.Trim(value, `'" `)
}

// isPath reports whether a value is a path: two folders or more without a capital
// letter, which long base64 always has.
func isPath(value string) bool {
	if strings.Count(value, "/") < 2 && !strings.HasPrefix(value, "./") {
		return strings.Trim(value, "./~") == ""
	}
	return strings.IndexFunc(value, func(r rune) bool { return r >= 'A' && r <= 'Z' || r == '+' || r == '=' || r == ' ' }) < 0
}

// looksRandomUnder is random for the value of a name. Tokens have dots too; keys with
// dots are names of parameters and files.
func looksRandomUnder(kind Kind, value string) bool {
	return random(value) || len(value) >= 24 && bothCases(value) || kind != NamedKey && dotted(value)
}

// dotted reports whether a value in pieces looks random: a token of kubeadm (six
// letters and digits, a dot, sixteen; kubernetes.io, Bootstrap Tokens), or one
// whose last piece is not the suffix of a file or host.
func dotted(value string) bool {
	last := strings.LastIndexByte(value, '.')
	if last < 0 {
		return false
	}
	if last == 6 && len(value) == 23 && strings.Trim(value, "abcdefghijklmnopqrstuvwxyz0123456789.") == "" {
		return strings.ContainsAny(value, "0123456789")
	}
	ending := strings.Trim(value[last+1:], "abcdefghijklmnopqrstuvwxyz") == "" && len(value)-last > 2
	return !ending && looksRandomOf("_-+/=~%.", value)
}

// random reports whether a value looks machine-generated: long, without spaces,
// with letters and digits alternating.
func random(value string) bool { return looksRandomOf("_-+/=~%", value) }

// looksRandomOf is random for values that may contain these marks too.
func looksRandomOf(marks, value string) bool {
	if len(value) < 16 || len(value) > 1<<16 {
		return false
	}
	var digits, letters, turns, longest, run int
	var before byte
	for i := range len(value) {
		c := value[i]
		switch {
		case isDigit(c):
			digits++
			turns += turn(before, '0')
			before = '0'
		case isAlnum(c):
			letters++
			turns += turn(before, c&^0x1f) // lower case or capital
			before = c &^ 0x1f
		case !strings.ContainsRune(marks, rune(c)):
			return false
		}
		if run++; !isAlnum(c) {
			run = 0
		}
		longest = max(longest, run)
	}
	return digits >= 2 && letters >= 2 && turns >= 4 && (longest >= 12 || isUUID(value))
}

// bothCases reports whether lower-case letters and capitals alternate as often as
// in random text, two times in five; joined words do not.
func bothCases(value string) bool {
	turns, letters := 0, 0
	var before byte
	for i := range len(value) {
		c := value[i]
		switch {
		case isUpper(c), isLower(c):
			letters++
			turns += turn(before, c&^0x1f)
			before = c &^ 0x1f
		case !isDigit(c) && strings.IndexByte("_-+/=", c) < 0:
			return false
		}
	}
	return letters >= 12 && turns*5 >= letters*2
}

func turn(before, now byte) int {
	if before == 0 || before == now {
		return 0
	}
	return 1
}

func isUUID(value string) bool {
	if len(value) != 36 {
		return false
	}
	for i := range len(value) {
		dash := i == 8 || i == 13 || i == 18 || i == 23
		if dash != (value[i] == '-') || !dash && !isHex(value[i]) {
			return false
		}
	}
	return true
}

// maxValue is how many bytes are searched for the end of a value.
const maxValue = 64 << 10

// valueAt finds the value that begins at an offset: the text within quotes, also
// escaped ones, or up to a space or the next setting.
func valueAt(text string, at int) (from, to int, quoted bool) {
	if at+1 < len(text) && text[at] == '$' && quoteAt(text, at+1) > 0 {
		at++ // the shell's $'...'
	}
	if at+1 < len(text) && strings.IndexByte("bBfFrRuU", text[at]) >= 0 && quoteAt(text, at+1) > 0 {
		at++ // Python's b'...'
	}
	if n := quoteAt(text, at); n > 0 && at+3*n < len(text) && text[at:at+n] == text[at+n:at+2*n] && text[at:at+n] == text[at+2*n:at+3*n] && text[at+3*n] != ',' {
		from = at + 3*n // """x"""
		if close := strings.Index(text[from:min(len(text), from+maxValue)], text[at:at+n]); close > 0 {
			return from, from + close, true
		}
	}
	if quote := openingQuote(text, at); quote != "" {
		from = at + len(quote)
		return from, quoteEnd(text, from, quote), true
	}
	return at, bareEnd(text, at), false
}

// bareEnd returns where a value without quotes ends.
func bareEnd(text string, at int) int {
	var open [3]int
	most := min(len(text), at+maxValue)
	for i := at; i < most; i++ {
		switch c := text[i]; c {
		case ' ', '\t', '\n', '\r', '"', '\'', '`', 0x1b:
			return i
		case '\\': // begins an escaped quote, newline or &
			if i+1 < most && (strings.IndexByte(`"'nrt\`, text[i+1]) >= 0 || strings.HasPrefix(text[i+1:], "u00")) {
				return i
			}
		case '(', '[', '{':
			open[bracket(c)]++
		case ')', ']', '}':
			if open[bracket(c)]--; open[bracket(c)] < 0 {
				return i
			}
		case ',', ';', '&', '|':
			if nextSetting(text[i+1:]) {
				return i
			}
		}
	}
	return most
}

// closers are marks that may end a value without quotes. A password may contain them, so
// a value that is secret as a whole goes on behind them.
const closers = ",;|<>!#&"

// closedEnd returns where a value ends that is not secret as a whole: before the first
// closer, or before the full stop of its sentence.
func closedEnd(text string, start, end int) int {
	value := text[start:end]
	if at := strings.IndexAny(value, closers); at > 0 {
		value = value[:at]
	}
	return start + len(strings.TrimRight(value, ".:"))
}

func bracket(c byte) int {
	switch c {
	case '(', ')':
		return 0
	case '[', ']':
		return 1
	}
	return 2
}

// nextSetting reports whether another name with its value, or nothing, follows a
// comma or an ampersand, rather than more of the value.
func nextSetting(rest string) bool {
	for i := range len(rest) {
		switch c := rest[i]; {
		case isAlnum(c), c == '_', c == '-', c == '.':
		case c == '=', c == ':':
			return i > 0
		case isSpace(c), c == '"', c == '\'', c == '\\', c == ')', c == '}', c == ']':
			return i == 0
		default:
			return false
		}
	}
	return rest == ""
}
