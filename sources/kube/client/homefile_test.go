package client

import (
	"errors"
	"os/user"
	"path/filepath"
	"testing"
)

// Without $HOME the kubeconfig of the working folder is not taken for one's own.
func TestTheDefaultKubeconfigIsInTheHomeFolder(t *testing.T) {
	home := t.TempDir()
	at := func(folder string, err error) func() (*user.User, error) {
		return func() (*user.User, error) { return &user.User{HomeDir: folder}, err }
	}
	own := filepath.Join(home, ".kube", "config")
	for name, c := range map[string]struct {
		file string
		who  func() (*user.User, error)
		want string
	}{
		"with HOME":                  {own, at("/elsewhere", nil), own},
		"without HOME":               {filepath.Join(".kube", "config"), at(home, nil), own},
		"a home that is no folder":   {filepath.Join(".kube", "config"), at("", nil), ""},
		"a user who is not known":    {filepath.Join(".kube", "config"), at("", errors.New("unknown userid 1234")), ""},
		"a home relative to nothing": {filepath.Join(".kube", "config"), at("home", nil), ""},
	} {
		if got := homeFile(c.file, c.who); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
