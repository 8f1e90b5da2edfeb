package redact

import "strings"

// Settings as programs print them: lists of arguments with dots, arrows, columns,
// maps of Go, values in literals of other languages.

// leastDots is how many dots lead from a name to its value in the lists of
// arguments that Megatron and DeepSpeed print.
const leastDots = 4

// printed returns where the value begins after dots, an arrow, a tab or ==, after a
// quoted flag in a list that Go printed (%q), and on the item below a flag in YAML. Words of a sentence may
// follow these too, so most values have to look made up.
func (s *setting) printed(text string, at, blank int) (value int, found bool) {
	rest := text[blank:]
	switch {
	case rest[0] == '.' && blank > at:
		dots := 0
		for dots < len(rest) && rest[dots] == '.' {
			dots++
		}
		value = blanks(text, blank+dots)
		return value, dots >= leastDots && value > blank+dots && value < len(text) && text[value] != '\n'
	case s.flag && s.quoted && blank > at:
		quote := quoteAt(text, blank)
		return blank, quote > 0 && blank+quote < len(text) && text[blank+quote] != '-'
	case s.flag && newlineAt(text, blank) != "":
		value = blanks(text, blank+len(newlineAt(text, blank)))
		dash := hasPrefix(text[value:], "- ")
		value = blanks(text, min(len(text), value+len("- ")))
		return value, dash && value < len(text) && !hasPrefix(text[value+quoteAt(text, value):], "-") && newlineAt(text, value) == ""
	case s.class != certain:
		return 0, false
	case hasPrefix(rest, "->"), hasPrefix(rest, "=="):
		value = blanks(text, blank+2)
	case hasPrefix(rest, "→"):
		value = blanks(text, blank+len("→"))
	case text[at:blank] == "\t":
		value = blank
	default:
		return 0, false
	}
	from, to, _ := valueAt(text, value)
	return value, drawnOrMixed(text[from:to]) && !Suspicious(text[from:to]) && !strings.ContainsAny(text[from:to], "(.")
}

// isBare reports whether a name is only the word itself, which has other meanings
// too.
func (s *setting) isBare(words ...string) bool { return oneOf(strings.TrimLeft(s.name, "-"), words...) }

// isBarePass reports whether the value of "pass" or "pw" is a password: no measure
// and no word for what passes.
func (s *setting) isBarePass(value string, quoted bool) bool {
	if !s.isBare("pass", "pw") || isMeasure(value) || meaning(value) == learning || s.name == "PASS" && !s.equals {
		return false
	}
	return !isOutcome(value) && !strings.ContainsAny(value, "([{%") && (quoted || value[0] != '&' && strings.Trim(value, "abcdefghijklmnopqrstuvwxyz_") != "" && strings.ContainsAny(value, "0123456789!@#$%^&*"))
}

// isMeasure reports whether a value is a number with its unit, or two of them:
// 12.3ms, 3/5, 2nd, 12%.
func isMeasure(value string) bool {
	rest := strings.TrimLeft(value, "+-.0123456789")
	if rest == value {
		return false
	}
	return len(rest) <= 3 || rest[0] == '/' && digits(rest[1:])
}

func isOutcome(value string) bool {
	return oneOf(value, "ok", "fail", "failed", "passed", "done", "skip", "skipped", "forward", "backward", "fwd", "bwd", "prefill", "decode", "warmup")
}

// isBareToken reports whether the value of "token" or "secret" in code is secret:
// letters and digits that alternate, as no token of a vocabulary has them.
func (s *setting) isBareToken(value string, quoted bool) bool {
	if !s.isBare("token", "secret") || len(value) < 8 || !s.equals && !(s.quoted && quoted) && !s.isBare("secret") {
		return false
	}
	if bothCases(value) {
		return true
	}
	turns, digits := 0, 0
	for i := range len(value) {
		if !isAlnum(value[i]) {
			return false
		}
		if isDigit(value[i]) {
			digits++
		}
		if i > 0 && (isDigit(value[i]) != isDigit(value[i-1]) || isUpper(value[i]) != isUpper(value[i-1])) {
			turns++
		}
	}
	return digits >= 2 && turns >= 3 || digits == 1 && len(value) >= 20 && 5*turns >= 2*len(value)
}

// inGoMap reports whether a text ends within a map that Go printed: map[a:1 b:2].
func inGoMap(before string) bool {
	before = before[max(0, len(before)-maxSibling):]
	opens := strings.LastIndex(before, "map[")
	return opens >= 0 && strings.LastIndexByte(before, ']') < opens && strings.LastIndexByte(before, '\n') < opens && hasSuffix(before, "[", " ")
}

// wrappers are what literals of a text are wrapped into.
var wrappers = []string{"Some(", "String(", "SecretStr(", "SecretBytes(", "Secret(", "bytearray(", "bytes(", "str(", "Ok(", "Just(", "Optional(", "Optional[", "String::from(", "Cow::Borrowed(", "Cow::Owned(", "Borrowed(", "Owned("}

// maxWrappers is how many of them may be around one text.
const maxWrappers = 4

// unwrapped returns the offset of the quoted text in the wrappers at an offset, and
// behind the type and the length that go-spew prints; the same offset if there are none.
func unwrapped(text string, at int) int {
	inner := at
	for range maxWrappers {
		next := inner
		for _, wrapper := range wrappers {
			if hasPrefix(text[inner:], wrapper) {
				next = inner + len(wrapper)
				break
			}
		}
		if close := strings.Index(text[inner:min(len(text), inner+32)], ") "); next == inner && close > 0 && text[inner] == '(' {
			if noted := text[inner+1 : inner+close]; hasPrefix(noted, "len=") || strings.Trim(noted, "abcdefghijklmnopqrstuvwxyz0123456789.*") == "" {
				next = inner + close + len(") ")
			}
		}
		if next == inner {
			break
		}
		inner = next
	}
	prefix := inner
	if prefix < len(text) && text[prefix] == 'b' {
		prefix++
	}
	if quoteAt(text, prefix) == 0 {
		return at
	}
	return inner
}

// passphraseEnd returns where the words of a passphrase end, which is the value of
// a line "password: correct horse battery"; end if anything else follows there.
func passphraseEnd(text string, from, value, end int) int {
	lead := strings.TrimRight(text[max(0, from-maxName):from], " \t-")
	if text[value-1] != ' ' || lead != "" && !hasSuffix(lead, "\n", `"`, `'`, `\n`, "│") || end >= len(text) || text[end] != ' ' {
		return end
	}
	most := cellEnd(text, end)
	last := end
	for i := end; i < most && i < end+maxName; i++ {
		switch {
		case isAlnum(text[i]), strings.IndexByte("!?@#$%^&*_+~.-", text[i]) >= 0:
			last = i + 1
		case quoteAt(text, i) > 0, newlineAt(text, i) != "":
			return last
		case text[i] != ' ', text[i-1] == '+':
			return end
		}
	}
	return last
}

// typeNames begin the types of Python's annotations that hold a text.
var typeNames = [...]string{"str", "bytes", "Optional[", "Union[", "Annotated[", "Final", "ClassVar[", "Secret", "Any"}

// behindType returns the offset behind the type of a name that is annotated, and the
// sign of its assignment: api_key: str = "x". It returns the same offset without one.
func (s *setting) behindType(text string, value int) int {
	if s.equals || value >= len(text) {
		return value
	}
	sign := strings.IndexByte(text[value:min(len(text), value+maxName)], '=')
	if sign <= 0 {
		return value
	}
	for _, name := range typeNames {
		annotation := strings.TrimRight(text[value:value+sign], " ")
		if hasPrefix(annotation, name) && strings.Trim(annotation, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ[]|,._ ") == "" {
			s.equals = true
			return blanks(text, value+sign+1)
		}
	}
	return value
}

// quotedAtEnd masks the value that a message about a certain name quotes at the end of
// its line, behind words, and reports whether it did: "argument --api-key: invalid int
// value: 'x'", "api_key: expected None got "x"".
func (f *finder) quotedAtEnd(text string, value int, s setting) bool {
	if s.class != certain || s.equals || value >= len(text) || !isLetter(rune(text[value])) {
		return false
	}
	end := min(cellEnd(text, value), value+maxSentence+maxName)
	open := strings.IndexAny(text[value:end], `'"`)
	if open <= 0 || !f.spend(end-value) {
		return false
	}
	for open > 0 && text[value+open-1] == '\\' {
		open--
	}
	words := text[value : value+open]
	if strings.IndexByte(words, ' ') < 0 || strings.Trim(words, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ :,-()\\") != "" {
		return false
	}
	from, to, quoted := valueAt(text, value+open)
	behind, _ := closing(text, to)
	said := text[from:to]
	if strings.HasPrefix(said, "<redacted") {
		return true
	}
	rest := strings.Trim(text[min(behind, end):end], " .,;)]}'\"\\\r")
	if place, is := strings.CutPrefix(rest, "("); is && !strings.ContainsAny(place, " ('\"") {
		rest = "" // "(train.py:12)"
	}
	if !quoted || rest != "" || !drawnOrMixed(said) || strings.ContainsAny(said, " /") || isPlaceholder(said) || isName(said) {
		return false
	}
	f.add(from, to, s.kind)
	return true
}

// becomes masks the value that a setting changed to: "api_key: None -> x".
func (f *finder) becomes(text string, end int, s setting) {
	end, _ = closing(text, end)
	arrow := blanks(text, end)
	if arrow == end || !hasPrefix(text[arrow:], "-> ") && !hasPrefix(text[arrow:], "=> ") && !hasPrefix(text[arrow:], "→ ") {
		return
	}
	from, to, quoted := valueAt(text, blanks(text, arrow+strings.IndexByte(text[arrow:], ' ')))
	if s.masks(text[from:to], quoted) && f.spend(to-arrow) {
		f.add(from, to, s.kind)
	}
}

// validated masks what pydantic quotes of a field whose name is the line above:
//
//	db_password
//	  Input should be a valid integer [type=int_parsing, input_value='x', input_type=str]
func validated(f *finder, text string, at int) {
	line, newline := lineStart(text, at)
	if newline == 0 || !f.spend(maxName) {
		return
	}
	above := strings.TrimRight(text[max(0, line-newline-maxName):line-newline], "\r")
	name := above[strings.LastIndexAny(above, " \t\n.]>:")+1:]
	j := judge(name)
	if j.class == innocent {
		return
	}
	s := setting{name: name, judged: j, quoted: true}
	from, to, quoted := valueAt(text, at+len("input_value="))
	if s.masks(text[from:to], quoted) {
		f.add(from, to, j.kind)
	}
}
