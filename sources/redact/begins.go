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
	case ':', '|', '>', '-', '+', '[', '{', '=', '\\':
		return endsInName(line) || isHeader(line)
	case ',', '"', 'e', 'g', 't':
		return says(line, "sensitive", "securestring", `"kty"`) || endsInKind(line) || isFlagItem(line) || isHeader(line)
	}
	return isFlagItem(line) || isHeader(line)
}

// isFlagItem reports whether a line is a secret's flag, alone or as the item of a
// list, whose value is the next line.
func isFlagItem(line string) bool {
	item := strings.TrimLeft(line, " \t")
	if !hasPrefix(item, "- ") && !hasPrefix(item, "--") {
		return false
	}
	flag := strings.Trim(strings.TrimPrefix(item, "- "), ` "'`)
	return hasPrefix(flag, "--") && !strings.ContainsAny(flag, " =") && Suspicious(flag)
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
