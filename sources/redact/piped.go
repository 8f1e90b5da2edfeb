package redact

import "strings"

// Values that a shell line writes into a command that reads a secret from standard
// input: echo X | docker login --password-stdin, login <<< X.

// stdinCommands are words of commands that read a secret from standard input. For
// options with "stdin" in their name, the words before it decide (stdinOf).
var stdinCommands = []string{
	"-stdin",                     // docker, podman, helm, crane login --password-stdin; passwd --stdin
	"chpasswd",                   // name:password
	"--with-token",               // gh auth login
	"passphrase-fd 0",            // gpg
	"passphrase-fd=0",            //
	"sudo -S",                    //
	"docker secret create",       // NAME -
	"podman secret create",       //
	"gh secret set",              //
	"vault login -",              // a token
	"wandb login",                // a key
	"cryptsetup luks",            // a passphrase
	"kinit",                      //
	"smbpasswd -s",               //
	"kubeseal --raw",             //
	"gcloud secrets create",      // --data-file=-
	"gcloud secrets versions ad", // add
}

// stdinOf are words of options that read a secret: --password-stdin, --identity-token-stdin.
var stdinOf = []string{"pass", "token", "secret", "key", "pin", "credential"}

// decoders are words of commands that decode base64. Their output is a secret
// only if the line mentions one.
var decoders = []string{"base64 -d", "base64 --d"}

// decodesSecret is the matcher for these words.
func decodesSecret(f *finder, text string, at int) {
	line := text[at-lineBefore(text, at) : min(lineEnd(text, at), at+maxPiped)]
	if !f.spend(len(line)) {
		return
	}
	for _, word := range stdinOf {
		if indexFold(line, word) >= 0 {
			readsSecret(f, text, at)
			return
		}
	}
}

// readsSecret is the matcher for these words.
func readsSecret(f *finder, text string, at int) {
	if at < f.skip || text[at] == '-' && hasPrefixFold(text[at:], "-stdin") && !stdinOption(text, at) {
		return
	}
	begin := at - lineBefore(text, at)
	if !f.spend(at - begin) {
		f.all(text, at, NamedPassword)
		return
	}
	if pipe := lastPipe(text[begin:at]); pipe >= 0 {
		f.echoed(text, begin, begin+pipe)
	}
	end := min(lineEnd(text, at), at+maxPiped)
	if here := strings.Index(text[at:end], "<<<"); here >= 0 {
		f.maskWord(text, blanks(text, at+here+len("<<<")))
	}
}

// maxPiped is how many bytes back the beginning of a command line is searched.
const maxPiped = 2048

// lineBefore returns how many bytes of a line precede an offset.
func lineBefore(text string, at int) int {
	before := text[max(0, at-maxPiped):at]
	return len(before) - 1 - max(strings.LastIndexByte(before, '\n'), -1)
}

// lastPipe returns the offset of the pipe into the command at the end of a text,
// -1 for none.
func lastPipe(before string) int {
	pipe := strings.LastIndexByte(before, '|')
	if pipe < 1 || before[pipe-1] == '|' || strings.ContainsAny(before[pipe:], ";&") {
		return -1
	}
	return pipe
}

func stdinOption(text string, at int) bool {
	from := at
	for from > 0 && at-from < maxName && inName(text[from-1]) {
		from--
	}
	for _, word := range stdinOf {
		if indexFold(text[from:at], word) >= 0 {
			return true
		}
	}
	before := strings.TrimRight(text[max(0, from-40):from], " -")
	return strings.HasSuffix(before, "passwd") || strings.Contains(before, "passwd ")
}

// echoed masks what echo or printf writes into a pipe.
func (f *finder) echoed(text string, begin, pipe int) {
	for _, program := range [...]string{"echo", "printf", "Write-Output"} {
		at := strings.LastIndex(text[begin:pipe], program+" ")
		if at < 0 || at > 0 && inName(text[begin+at-1]) && !starts(text, begin+at) {
			continue
		}
		f.words(text, begin+at+len(program), pipe)
		return
	}
}

// words masks each word of a command between two offsets that may be a secret.
func (f *finder) words(text string, at, end int) {
	for range maxArguments {
		at = blanks(text, at)
		if at >= end || text[at] == '|' || !f.spend(end-at) {
			return
		}
		at = max(f.maskWord(text, at), at+1)
	}
}

// maskWord masks the word at an offset, except options, formats of printf and
// references to a value, and returns where the word ends.
func (f *finder) maskWord(text string, at int) (next int) {
	if at < len(text) && text[at] == 0x1b {
		return at + max(1, escapeAt(text, at))
	}
	from, to, quoted := valueAt(text, at)
	to = min(to, len(text))
	value := strings.TrimSuffix(text[from:to], `\n`)
	option := len(value) < 4 && strings.HasPrefix(value, "-")
	if !option && !isPlaceholder(value) && !isName(value) && !isFormat(value) && strings.IndexByte(value, '$') < 0 {
		f.add(from, from+len(value), NamedPassword)
	}
	if quoted {
		to, _ = closing(text, to)
	}
	return to
}

// isFormat reports whether a word is a format of printf.
func isFormat(value string) bool {
	rest := strings.NewReplacer("%s", "", `\n`, "", "%b", "", ":", "", "%q", "").Replace(value)
	return rest == "" && value != ""
}
