package redact

import (
	"regexp"
	"slices"
	"strings"
)

// Arguments returns the words of a command without secrets; the same list if there
// are none.
func (r *Redactor) Arguments(words []string) []string {
	list := make([]any, len(words))
	for i, word := range words {
		list[i] = word
	}
	safe, changed := r.arguments(nil, list)
	if !changed {
		return words
	}
	redacted := make([]string, len(words))
	for i, word := range safe.([]any) {
		redacted[i], _ = word.(string)
	}
	return redacted
}

// isCommandLine reports whether a list is the arguments of a program, by its name or
// by a flag in it.
func (r *Redactor) isCommandLine(name string, list []any) bool {
	if oneOf(name, "args", "arguments", "command", "cmd", "entrypoint") || strings.HasSuffix(name, "Args") || strings.HasSuffix(name, "Command") {
		return true
	}
	for _, item := range list {
		if text, _ := item.(string); len(text) > 1 && text[0] == '-' && (text[1] == '-' || isLetter(rune(text[1]))) {
			return r.judge(name).class == innocent
		}
	}
	return false
}

// arguments redacts the arguments that follow those before, in which the value of a
// flag may be the next argument.
func (r *Redactor) arguments(before, list []any) (any, bool) {
	copied := slices.Clone(list)
	changed := false
	places := commandLine(before, list)
	lines := r.asLine(before, list)
	flag := "" // the previous argument, if it is a flag without a value
	if len(before) > 0 {
		flag = flagWithoutValue(before[len(before)-1])
	}
	for i, argument := range list {
		text, is := argument.(string)
		if !is || text == "" {
			flag = ""
			continue
		}
		safe := r.argument(flag, text)
		if place, is := places[i]; is && safe == text {
			safe = text[:place.from] + r.found(text[place.from:place.to], place.kind) + text[place.to:]
		} else if kind, is := lines[i]; is && safe == text && text != Masked {
			safe = r.found(text, kind)
		}
		if copied[i] = safe; safe != text {
			changed = true
		}
		flag = flagWithoutValue(text)
	}
	if !changed {
		return list, false
	}
	return copied, true
}

// mostLine is how many bytes of arguments are read as a line.
const mostLine = 16 << 10

// asLine finds the arguments that are secret as a whole where all are on a line, as a
// shell has them (aws configure set NAME X): what makes a word a secret in a line does
// so in a list. An argument of several words is read by itself, and so is the value of
// an option.
func (r *Redactor) asLine(before, list []any) map[int]Kind {
	var line strings.Builder
	starts := make([]int, 0, len(list))
	all := slices.Concat(before, list)
	for i, argument := range all {
		word, _ := argument.(string)
		if word == "" || strings.ContainsAny(word, " \t\r\n\"'") {
			word = "_"
		}
		if i >= len(before) {
			starts = append(starts, line.Len())
		}
		if line.WriteString(word + " "); line.Len() > mostLine {
			return nil
		}
	}
	var found map[int]Kind
	for _, secret := range r.finder.find(line.String(), false) {
		i, is := slices.BinarySearch(starts, secret.from)
		if !is || len(before)+i > 0 && flagWithoutValue(all[len(before)+i-1]) != "" {
			continue
		}
		if text, _ := list[i].(string); len(text) == secret.to-secret.from {
			if found == nil {
				found = map[int]Kind{}
			}
			found[i] = secret.kind
		}
	}
	return found
}

// flagWithoutValue returns an argument if it is a flag whose value may be the next
// argument, else "".
func flagWithoutValue(argument any) string {
	if text, _ := argument.(string); strings.HasPrefix(text, "-") && !strings.Contains(text, "=") {
		return text
	}
	return ""
}

func (r *Redactor) argument(flag, text string) string {
	if kind, is := secretOf(flag, text); flag != "" && is && !strings.HasPrefix(text, "-") && text != Masked {
		return r.found(text, kind)
	}
	if parts := flagValue.FindStringSubmatch(text); parts != nil && parts[2] != Masked {
		if kind, is := secretOf(parts[1], parts[2]); is {
			return parts[1] + "=" + r.found(parts[2], kind)
		}
	}
	return r.inside(text)
}

// flagValue matches an argument that contains a flag and its value.
var flagValue = regexp.MustCompile(`^(-{1,2}[A-Za-z0-9._-]+|[A-Za-z_][A-Za-z0-9_.]*)=((?s).+)$`)

// commandLine finds secrets in the arguments of a program that follow those before, by
// their position: it returns the range in each argument that has one.
func commandLine(before, list []any) map[int]span {
	found := positions{before: len(before)}
	programs := byProgram()
	all := list
	if len(before) > 0 {
		all = slices.Concat(before, list)
	}
	user := false
	for i, argument := range all {
		text, _ := argument.(string)
		for _, c := range programs[text[strings.LastIndexByte(text, '/')+1:]] {
			found.ofCommand(c, i+1, all)
		}
		user = found.ofPair(user, text, i, all)
	}
	return found.spans
}

// positions are the secrets of a list of arguments.
type positions struct {
	before int // how many arguments are not part of the list
	spans  map[int]span
}

func (p *positions) add(i, from, to int, text string, kind Kind) {
	if i < p.before || to <= from || isPlaceholder(text[from:to]) || isName(text[from:to]) {
		return
	}
	if p.spans == nil {
		p.spans = map[int]span{}
	}
	p.spans[i-p.before] = span{from, to, kind}
}

// ofCommand adds the secrets of a known command whose arguments begin at an index.
func (p *positions) ofCommand(c *command, begin int, all []any) {
	r := argumentReader{command: c, verbs: c.words[1:]}
	for i := begin; i < len(all); i++ {
		text, _ := all[i].(string)
		from, to := r.secretIn(text)
		p.add(i, from, to, text, c.kind)
	}
}

// ofPair adds the secret of an option that any program may have: the password in
// name:password behind -u, --auth, --user or --login, and the value of -p behind the
// name of a user. It reports whether an option named one so far.
func (p *positions) ofPair(user bool, text string, i int, all []any) bool {
	option, _, attached := strings.Cut(text, "=")
	named := oneOf(option, "-u", "--auth", "--user", "--username", "--login")
	if !named && option != "-p" {
		if rest, is := strings.CutPrefix(text, "-p"); is && user && isMadeUp(rest) {
			p.add(i, len("-p"), len(text), text, NamedPassword)
		}
		return user
	}
	start := len(option) + len("=")
	if !attached {
		if i, start = i+1, 0; i == len(all) {
			return user
		}
		text, _ = all[i].(string)
	}
	value := text[min(start, len(text)):]
	switch colon := strings.IndexByte(value, ':'); {
	case value == "" || value[0] == '-':
		return user
	case !named && user && isItemPassword(value):
		p.add(i, start, len(text), text, NamedPassword)
	case named && colon > 0 && isMadeUp(value[colon+1:]):
		p.add(i, start+colon+1, len(text), text, NamedPassword)
	}
	return user || named && !strings.ContainsAny(value, " /") && !strings.HasSuffix(value, ".py") // of python -u
}
