package signatures

import (
	"strconv"
	"strings"
)

// skyCleanup is the exit code with which SkyPilot ends the nodes that are left after
// one failed (task_codegen.py).
const skyCleanup = 137

// refineCodes finds the node that failed in SkyPilot's list of exit codes, and sets
// the rank of the match: the first whose code is neither 0 nor that of the clean-up.
func refineCodes(m *Match) {
	ended := -1
	for rank, field := range strings.Split(m.Captures[0], ",") {
		code, err := strconv.Atoi(strings.TrimSpace(field))
		switch {
		case err != nil || code == 0:
			continue
		case code != skyCleanup:
			m.Captures[1] = strconv.Itoa(rank)
			return
		case ended < 0:
			ended = rank
		}
	}
	if ended < 0 {
		m.Cause, m.Weight = "", 0
		return
	}
	m.Cause, m.Captures[1] = "sigkill-received", strconv.Itoa(ended)
}
