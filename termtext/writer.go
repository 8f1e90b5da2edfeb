package termtext

import "io"

// Writer makes messages safe on their way to To: each write is one or several whole lines,
// which stay lines.
type Writer struct{ To io.Writer }

func (w Writer) Write(message []byte) (int, error) {
	if _, err := io.WriteString(w.To, Lines(string(message))); err != nil {
		return 0, err
	}
	return len(message), nil
}
