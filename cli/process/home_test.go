package process

import (
	"errors"
	"os"
	"os/user"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/adrg/xdg"
)

// TestFilesAreKeptAtHome: without a usable HOME, nothing is kept in / or in the
// working folder.
func TestFilesAreKeptAtHome(t *testing.T) {
	if runtime.GOOS == "windows" {
		return // HOME means nothing there
	}
	for _, name := range []string{"XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"} {
		t.Setenv(name, "")
	}
	t.Cleanup(xdg.Reload)
	for _, home := range []string{"", "here", "./here"} {
		t.Setenv("HOME", home)
		warning := FindHome()
		account := accountHome(user.LookupId)
		if (warning == "") != (account != "") {
			t.Errorf("HOME %q: the warning %q, the account's folder %q", home, warning, account)
		}
		for _, folder := range []string{xdg.StateHome, xdg.ConfigHome, xdg.CacheHome} {
			if account != "" && !strings.HasPrefix(folder, account+"/") || !filepath.IsAbs(folder) || account == "" && !strings.HasPrefix(folder, nowhere) {
				t.Errorf("HOME %q: files are kept in %q", home, folder)
			}
		}
	}
	if err := os.MkdirAll(nowhere+"/traintop", 0o700); err == nil {
		t.Error("files can be kept nowhere")
	}
}

func TestTheHomeOfAnAccount(t *testing.T) {
	for folder, want := range map[string]string{"/home/ada": "/home/ada", "/": "", "": "", "here": ""} {
		if got := accountHome(func(string) (*user.User, error) { return &user.User{HomeDir: folder}, nil }); got != want {
			t.Errorf("%q: %q", folder, got)
		}
	}
	if got := accountHome(func(string) (*user.User, error) { return nil, errors.New("unknown user") }); got != "" {
		t.Errorf("of an unknown user: %q", got)
	}
}
