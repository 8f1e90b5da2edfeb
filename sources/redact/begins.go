package redact

import "strings"

// Begins reports whether the lines below a line may contain a secret: a value in
// a block or a list, or members of an object in which one member marks another
// as secret. It checks the end of the line first, since few lines end this way.
func Begins(line string) bool {
	line = strings.TrimRight(line, " \r\t")
	if line == "" || len(line) > maxValue {
		return false
	}
	switch line[len(line)-1] {
	case '\\': // a command that goes on
		return true
	case ':', '|', '>', '-', '+', '[', '{', '=':
		return endsInName(strings.TrimSuffix(line, "</name>")) || isHeader(line)
	case ',', '"', 'e', 'g', 't':
		return says(line, "sensitive", "securestring", `"kty"`) || endsInKind(line) || isFlagItem(line) || isHeader(line) || isField(line)
	}
	return isFlagItem(line) || isHeader(line) || isField(line) || endsInScheme(line)
}

// endsInScheme reports whether a line ends with the scheme of an Authorization header,
// whose credentials are on the next line.
func endsInScheme(line string) bool {
	if last := line[len(line)-1]; isDigit(last) {
		call := strings.LastIndex(line, "  ")
		if call < 0 || !isCallSite(line[call:]) {
			return false
		}
		line = strings.TrimRight(line[:call], " ")
	} else if strings.IndexByte("rcnyRCNY", last) < 0 {
		return false
	}
	return isScheme(line[strings.LastIndexAny(line, " \t\"'")+1:]) && len(line) < maxSibling && indexFold(line, "authorization") >= 0
}

// isField reports whether a line is a secret's name alone or behind a prefix, as that
// of a field above what a check of its value states.
func isField(line string) bool {
	from := len(line)
	for from > 0 && inName(line[from-1]) && len(line)-from <= maxName {
		from--
	}
	before := strings.TrimRight(line[:from], " \t")
	behind := before == "" || endsPrefix(before[len(before)-1]) || len(before) < from && !isAlnum(before[len(before)-1])
	return behind && from < len(line) && Suspicious(line[from:])
}

// isFlagItem reports whether a line ends with a secret's flag, alone, as the item of a
// list or behind a prefix, whose value may be the next line.
func isFlagItem(line string) bool {
	flag := strings.Trim(line[strings.LastIndexAny(line, " \t[")+1:], `"',`)
	return hasPrefix(flag, "--") && strings.IndexByte(flag, '=') < 0 && Suspicious(flag)
}

// endsInName reports whether a line ends with a secret's name and the beginning
// of a value on the next line.
func endsInName(line string) bool {
	end := len(strings.TrimRight(line, ` |>-+[{:="'\`))
	from := end
	for from > 0 && inName(line[from-1]) && end-from < maxName {
		from--
	}
	return from < end && Suspicious(line[from:end]) || hasSuffixFold(line[:end], "data")
}

func endsInKind(line string) bool {
	end := strings.TrimRight(line, `",`)
	return strings.HasSuffix(end, "Secret") && isSecretKind(line, len(end)-len("Secret"))
}

func says(line string, words ...string) bool {
	for _, word := range words {
		if len(line) < maxSibling && indexFold(line, word) >= 0 {
			return true
		}
	}
	return false
}
