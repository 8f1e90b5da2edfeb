//go:build !linux && !darwin && !freebsd

package audit

import "os"

// lock does nothing here. Two programs that write at the same instant may leave an
// empty line between their lines.
func lock(*os.File) bool { return true }
