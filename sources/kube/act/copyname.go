package act

import (
	"errors"
	"io/fs"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"

	"github.com/traintop/traintop/sources/kube/client"
)

// longestName limits the path of an entry, in bytes: PATH_MAX of Linux. No
// other program could open a longer path.
const longestName = 4096

// nameError is why an entry of an archive cannot be created here under its
// name. The rest of the archive can.
type nameError struct{ why string }

func (e *nameError) Error() string { return e.why }

// ofName turns a file system error that only concerns a name into a nameError.
// A full or broken disk concerns every file.
func ofName(err error) error {
	for _, one := range []error{
		fs.ErrExist, fs.ErrNotExist, syscall.ENAMETOOLONG, syscall.ENOTDIR, syscall.EISDIR, syscall.EINVAL, syscall.EILSEQ, syscall.ELOOP,
	} {
		if errors.Is(err, one) {
			return &nameError{"it cannot be made here: " + client.Printable(one.Error())}
		}
	}
	return err
}

// fits returns an error if an entry cannot be created at a name below the
// root: every parent must be a folder, and no link.
func (d *into) fits(name string) error {
	folder := filepath.Dir(name)
	if name == d.name || folder == d.usable {
		return nil
	}
	at := d.name
	rest, _ := strings.CutPrefix(folder, d.name)
	for _, part := range strings.Split(rest, string(filepath.Separator)) {
		at = filepath.Join(at, part)
		info, err := d.root.Lstat(at)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return &nameError{"its folder is not here"}
		case err != nil:
			return ofName(err)
		case info.Mode()&fs.ModeSymlink != 0:
			return &nameError{"it lies below " + client.Printable(at) + ", which is a link here"}
		case !info.IsDir():
			return &nameError{"it lies below " + client.Printable(at) + ", which is no folder here"}
		}
	}
	d.usable = folder
	return nil
}

// unfit returns why a name has another meaning on this system.
func unfit(name string) string { return unfitFor(name, runtime.GOOS) }

func unfitFor(name, system string) string {
	if system != "windows" {
		return ""
	}
	for part := range strings.SplitSeq(name, "/") {
		if part != "." && part != ".." && windowsReadsOtherwise(part) {
			return "Windows gives the name " + client.Printable(part) + " another meaning"
		}
	}
	return ""
}

// windowsReadsOtherwise: https://learn.microsoft.com/windows/win32/fileio/naming-a-file
func windowsReadsOtherwise(part string) bool {
	if strings.ContainsAny(part, `<>:"\|?*`) || strings.HasSuffix(part, ".") || strings.HasSuffix(part, " ") {
		return true
	}
	if strings.ContainsFunc(part, func(r rune) bool { return r < ' ' }) {
		return true
	}
	device, _, _ := strings.Cut(strings.ToUpper(part), ".")
	device = strings.TrimRight(device, " ")
	if slices.Contains([]string{"CON", "PRN", "AUX", "NUL", "CONIN$", "CONOUT$"}, device) {
		return true
	}
	digit, numbered := strings.CutPrefix(device, "COM")
	if !numbered {
		digit, numbered = strings.CutPrefix(device, "LPT")
	}
	return numbered && slices.Contains([]string{"0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "¹", "²", "³"}, digit)
}
