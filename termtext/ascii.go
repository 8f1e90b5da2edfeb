package termtext

import (
	"io"
	"strings"
)

// signs are those of typography that texts of this program and of Kubernetes have, and
// ASCII that takes as many cells.
var signs = strings.NewReplacer(
	"…", "~", "–", "-", "—", "-", "‐", "-", "‑", "-", "−", "-", "·", "-", "•", "*",
	"‘", "'", "’", "'", "“", `"`, "”", `"`, "„", `"`, "«", `"`, "»", `"`,
	"×", "x", "±", "~", "≤", "<", "≥", ">", "≈", "~", "°", " ", "µ", "u", "μ", "u",
	"→", ">", "←", "<", "↑", "^", "↓", "v", "↵", "<", "\u00a0", " ",
	"─", "-", "│", "|", "├", "|", "└", "`", "┌", "+", "┐", "+", "┘", "+", "┤", "|", "┬", "+", "┴", "+", "┼", "+",
	"✔", "+", "✖", "x", "●", "*", "▲", "!", "■", "#", "□", ".", "\uFFFD", "?",
)

// ASCII replaces signs of typography, for terminals and fonts that have ASCII alone.
// Letters of other scripts stay: they have no other form.
func ASCII(text string) string { return signs.Replace(text) }

// ASCIIWriter is ASCII on the way to To.
type ASCIIWriter struct{ To io.Writer }

func (w ASCIIWriter) Write(text []byte) (int, error) {
	if _, err := signs.WriteString(w.To, string(text)); err != nil {
		return 0, err
	}
	return len(text), nil
}
