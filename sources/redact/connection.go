package redact

import "strings"

// Connection strings of ODBC and ADO write a password as PWD, the name under
// which a shell keeps its folder: the value tells which it is, and where that
// looks like a folder, the settings beside it.

// isFolder reports whether a value is what a shell keeps in PWD: a path, or
// how a script asks for one.
func isFolder(value string) bool {
	switch {
	case value == "" || strings.IndexByte(`/~.$%\<`, value[0]) >= 0, strings.EqualFold(value, "pwd"):
		return true
	}
	return len(value) > 2 && value[1] == ':' && (value[2] == '\\' || value[2] == '/') // C:\
}

// inConnection reports whether a name at a place is a setting of a connection
// string: one of several between semicolons, of which another names a server,
// a driver or a user (Microsoft's ODBC and ADO.NET connection string syntax).
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

// maxConnection bounds how far the settings beside a name are looked for, in
// bytes on each side.
const maxConnection = 512

// insideBraces is the value of a connection string without the braces that
// quote it there. A name alone in braces is one that a program fills in.
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
