package receivers

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/traintop/traintop/sources/localfile"
)

// largestSecret is the size of a file with a secret, in bytes.
const largestSecret = 64 << 10

// readable is a setting that is read for each message.
type readable interface {
	set() bool
	problem() string
	read(lookup func(string) (string, bool)) (string, error)
}

// Secret is the place from which a secret is read: {env: NAME} or {file: PATH}. It
// is read for each message, so that a rotated one is used at once.
type Secret struct {
	Env, File string
	// wrong is the reason why it is neither.
	wrong string
}

// inPlain is why a secret that is written in the file is refused.
const inPlain = "it is written as text, and it is a secret: write {env: NAME}, an environment variable, or {file: PATH}, a file such as a mounted Secret"

// UnmarshalJSON never fails: a wrong secret must not keep other receivers from
// being used. It drops the text of a secret that is written in plain.
func (s *Secret) UnmarshalJSON(text []byte) error {
	*s = Secret{}
	var from map[string]any
	switch {
	case string(text) == "null":
		return nil
	case json.Unmarshal(text, &from) != nil:
		s.wrong = inPlain
		return nil
	}
	env, hasEnv := from["env"].(string)
	file, hasFile := from["file"].(string)
	if hasEnv == hasFile || len(from) != 1 {
		s.wrong = "it has to be {env: NAME} or {file: PATH}, one of the two"
		return nil
	}
	if env+file == "" {
		s.wrong = "what it names is empty: write {env: NAME}, an environment variable, or {file: PATH}, a file such as a mounted Secret"
	}
	s.Env, s.File = env, file
	return nil
}

// set reports whether a secret is configured.
func (s Secret) set() bool { return s.Env != "" || s.File != "" || s.wrong != "" }

var environmentName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// problem reports why the secret cannot be used, "" where it can.
func (s Secret) problem() string {
	switch {
	case s.wrong != "":
		return s.wrong
	case s.Env != "" && !environmentName.MatchString(s.Env):
		return "env has to be the name of an environment variable: letters, digits and _"
	}
	return ""
}

// read reads the secret. Its errors name the variable or the file.
func (s Secret) read(lookup func(string) (string, bool)) (string, error) {
	if s.Env != "" {
		value, _ := lookup(s.Env)
		if value = strings.TrimSpace(value); value == "" {
			return "", fmt.Errorf("the environment variable %s is not set, or empty", s.Env)
		}
		return value, nil
	}
	path := s.File
	if rest, home := strings.CutPrefix(path, "~/"); home {
		folder, err := os.UserHomeDir()
		if err != nil {
			return "", fmt.Errorf("find the home folder of %s: %w", path, err)
		}
		path = filepath.Join(folder, rest)
	}
	text, err := localfile.Read(path, largestSecret)
	if err != nil {
		return "", err
	}
	value := strings.TrimSpace(string(text))
	if value == "" {
		return "", fmt.Errorf("the file %s is empty", path)
	}
	return value, nil
}

// Address is a URL that may be written in the file while it holds no secret, or
// that is read as a Secret.
type Address struct {
	Secret
	Plain string
}

// UnmarshalJSON never fails, as that of Secret.
func (a *Address) UnmarshalJSON(text []byte) error {
	*a = Address{}
	if json.Unmarshal(text, &a.Plain) == nil {
		return nil
	}
	return a.Secret.UnmarshalJSON(text)
}

func (a Address) set() bool { return a.Plain != "" || a.Secret.set() }

// problem reports why the address cannot be used, without its text: it may hold a
// secret.
func (a Address) problem() string {
	if a.Plain == "" {
		return a.Secret.problem()
	}
	to, err := parseURL(a.Plain)
	switch {
	case err != nil:
		return err.Error()
	case to.User != nil || to.RawQuery != "" || to.Fragment != "":
		return "a user, a password, a query or a fragment in it may be secret: write {env: NAME} or {file: PATH} instead"
	}
	return ""
}

func (a Address) read(lookup func(string) (string, bool)) (string, error) {
	if a.Plain != "" {
		return a.Plain, nil
	}
	return a.Secret.read(lookup)
}

// errNoURL is the problem of a text that is no URL; it does not quote the text.
var errNoURL = errors.New("it is no URL: it has to look like https://example.com/path")

func parseURL(text string) (*url.URL, error) {
	to, err := url.Parse(text)
	if err != nil || to.Host == "" || to.Scheme != "http" && to.Scheme != "https" {
		return nil, errNoURL
	}
	return to, nil
}
