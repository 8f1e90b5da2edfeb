package signatures

import (
	"regexp"
	"strings"
)

// BareException is the last line of a Python traceback, without the frames above it.
type BareException struct {
	// Text is the line without a launcher's prefix: the name, and behind it the message.
	Text string
	// Message is false where the line ends behind the name: the message may follow.
	Message bool
	// Below is true where a tool that stopped at the exception writes the message below its name.
	Below bool
	// Rank is the rank in the launcher's prefix, -1 for none.
	Rank int
}

// bareException matches the line by the names that PEP 8 gives to exceptions, with or
// without a module, and by any other class of a module (Python traceback.py prints the
// module of every exception that is not built in).
var bareException = regexp.MustCompile(`^ {0,4}(?:(?:[A-Za-z_]\w*\.)*[A-Z]\w+(?:Error|Exception|Invalid)|(?:[a-z_]\w*\.)+_?[A-Z][a-z]\w+)(?::\s*(\S.*)?|\s*)$`)

// notRaised are suffixes of classes of modules that are named before a colon for another
// reason: a warning, which does not end a program.
var notRaised = regexp.MustCompile(`^[\s\w.]*(?:Warning|Logger|Handler|Manager|Config)\b`)

// ofTool matches what tools print before an exception: pytest of a test that failed, and
// debuggers of editors that stop at it.
var ofTool = regexp.MustCompile(`^(?:E {3,}|FAILED \S+ - |Exception has occurred: )`)

// inBox matches a line inside a frame that a terminal draws.
var inBox = regexp.MustCompile(`^\s*[│┃]\s?(.*?)\s*(?:[│┃]\s*)?$`)

// unboxed returns a line without the frame that is drawn around it.
func unboxed(line []byte) []byte {
	if m := inBox.FindSubmatch(line); m != nil {
		return m[1]
	}
	return line
}

// ReadBareException reads a line as the last line of a traceback. Any class may be
// raised, so it is a guess for texts that contain nothing else.
func ReadBareException(line string) (e BareException, is bool) {
	p := unprefix([]byte(line))
	p.text = p.text[len(stamped.Find(p.text)):]
	p.text = unboxed(p.text)
	tool := ofTool.Find(p.text)
	p.text = p.text[len(tool):]
	m := bareException.FindSubmatch(p.text)
	if m == nil || notRaised.Match(p.text) {
		return e, false
	}
	named := strings.Contains(string(p.text), "Error") || strings.Contains(string(p.text), "Exception")
	if !named && (len(m[1]) == 0 || isDigit(m[1][0]) || m[1][0] == '-') {
		return e, false // a name of a module and its value
	}
	return BareException{Text: shown(p.text), Message: len(m[1]) > 0, Below: len(m[1]) == 0 && len(tool) > 0, Rank: p.rank}, true
}
