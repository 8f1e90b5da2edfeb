//go:build !linux && !darwin

package act

// diskSpace is unknown on this system.
func diskSpace(string) (free, all int64, known bool) { return 0, 0, false }
