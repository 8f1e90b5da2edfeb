package process

import (
	"os"
	"os/user"
	"path/filepath"
	"runtime"
	"strconv"

	"github.com/adrg/xdg"
)

// nowhere is a folder in which nothing can be created.
const nowhere = "/proc/nowhere"

// FindHome makes the folders of the person's files follow HOME, or the user database
// where HOME is not set or relative, as in many containers: files would else be
// written into / or the working folder. It returns a warning if neither has a
// folder; then nothing is kept.
func FindHome() (warning string) {
	if runtime.GOOS == "windows" || filepath.IsAbs(os.Getenv("HOME")) {
		return ""
	}
	home := accountHome(user.LookupId)
	if home == "" {
		home, warning = nowhere, "HOME is no absolute path, and the user database has no folder for this user: settings, saved files and the record of changes cannot be kept"
	}
	if os.Setenv("HOME", home) != nil {
		return warning
	}
	xdg.Reload()
	return warning
}

// accountHome returns the folder of this user in the user database, "" for none.
func accountHome(lookup func(id string) (*user.User, error)) string {
	account, err := lookup(strconv.Itoa(os.Getuid()))
	if err != nil || !filepath.IsAbs(account.HomeDir) || account.HomeDir == "/" {
		return ""
	}
	return account.HomeDir
}
