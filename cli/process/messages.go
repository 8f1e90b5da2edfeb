package process

import (
	"io"

	"github.com/traintop/traintop/sources/redact"
)

// Messages is standard error: each message is written at once, and secrets in
// its quotes of logs, objects and answers are masked.
type Messages struct{ io.Writer }

// Write implements io.Writer.
func (m Messages) Write(message []byte) (int, error) {
	if _, err := io.WriteString(m.Writer, redact.Text(string(message))); err != nil {
		return 0, err
	}
	return len(message), nil
}
