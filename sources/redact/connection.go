package redact

import "strings"

// Connection strings of ODBC and ADO name a password PWD, which is also the
// variable of a shell's working folder. The value shows which one it is; if the
// value looks like a folder, the settings beside it decide.

// isFolder reports whether a value is what a shell keeps in PWD: a path, or a
// script's expression for one.
func isFolder(value string) bool {
	switch {
	case value == "" || strings.IndexByte(`/~.$%\<`, value[0]) >= 0, strings.EqualFold(value, "pwd"):
		return true
	}
	return len(value) > 2 && value[1] == ':' && (value[2] == '\\' || value[2] == '/') // C:\
}

// inConnection reports whether the name at from..to is a setting of a connection
// string: one of several settings between semicolons, another of which names a
// server, a driver or a user (Microsoft's ODBC and ADO.NET connection string syntax).
func inConnection(text string, from, to int) bool {
	before := text[max(0, from-maxConnection):from]
	before = before[strings.LastIndexByte(before, '\n')+1:]
	after := text[to:min(len(text), to+maxConnection)]
	if line := strings.IndexByte(after, '\n'); line >= 0 {
		after = after[:line]
	}
	if !strings.HasSuffix(strings.TrimRight(before, " "), ";") && strings.IndexByte(after, ';') < 0 {
		return false
	}
	for _, setting := range [...]string{"server=", "driver=", "data source=", "dsn=", "uid=", "user id=", "database=", "initial catalog="} {
		if indexFold(before, setting) >= 0 || indexFold(after, setting) >= 0 {
			return true
		}
	}
	return false
}

// maxConnection is how many bytes on each side of a name are searched for other
// settings.
const maxConnection = 512

// insideBraces returns the range of a connection string's value without the braces
// that quote it. A name alone in braces is a placeholder that a program replaces.
func insideBraces(text string, start, end int) (int, int) {
	if end-start < 3 || text[start] != '{' || text[end-1] != '}' {
		return start, end
	}
	for i := start + 1; i < end-1; i++ {
		if !isLower(text[i]|0x20) && text[i] != '_' && text[i] != '.' {
			return start + 1, end - 1
		}
	}
	return start, end
}
