package train

import "time"

// LogHit is a line of a log, or several that belong together, that matched a
// signature.
type LogHit struct {
	// Signature names the row of the table of signatures that matched.
	Signature string
	Cause     Cause
	// Line is the number of the most informative line, and Time its time (zero
	// when the log has none).
	Line int64
	Time time.Time
	// Text is that line, safe for a terminal, cut at 512 bytes.
	Text     string
	Captures []string
	// Rank is the global rank that the text itself names ("[rank3]:", torchrun's
	// report), -1 when it names none.
	Rank int
	// Frame is the innermost frame of the user's own code in a traceback above
	// the line: `train.py:88 in step`; "" when none was found.
	Frame string
	// Object is the object that an event in a text is of, a pod by its name, any other as
	// KIND/NAME; "" where none is named. A recording does not keep it.
	Object string
}
