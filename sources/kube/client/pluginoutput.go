package client

import (
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/traintop/traintop/sources/redact"
	"github.com/traintop/traintop/termtext"
)

const (
	// mostOfPlugin is how many bytes of a plugin's messages are passed on.
	mostOfPlugin = 64 << 10
	// pluginFlush is how long the pipe may take to deliver the last messages
	// of a plugin that ended.
	pluginFlush = 50 * time.Millisecond
	// unfinishedWait is how long a piece of a line waits for its rest, since a
	// secret may be cut; questionWait is that of a question, which is no whole line.
	unfinishedWait = 500 * time.Millisecond
	questionWait   = 20 * time.Millisecond
	// longestUnfinished bounds the piece that waits.
	longestUnfinished = 16 << 10
)

// pluginOutput forwards the standard error of credential plugins: safe for a
// terminal, without secrets, each line once however often a plugin runs, and
// nothing while a screen owns the terminal. client-go would pass on our own standard error,
// which a hanging plugin keeps open after we ended.
//
// There is one per process, since client-go keeps a plugin's settings,
// including its standard error, for that long.
type pluginOutput struct {
	Mu     sync.Mutex
	pipe   *os.File
	Out    io.Writer
	Quiet  bool
	Said   map[string]bool
	passed int
	// unfinished is the piece of a line that waits for its rest; inKey is true
	// within a private key that is printed on many lines.
	unfinished string
	flush      *time.Timer
	inKey      bool
	// last is the newest line.
	last string
	// hide replaces the credentials of a connection, nil for none.
	hide func(string) string
}

var PluginMessages = &pluginOutput{Out: os.Stderr, Said: map[string]bool{}}

// hiding has what is secret in the newest connection hidden.
func (o *pluginOutput) hiding(hide func(string) string) {
	o.Mu.Lock()
	defer o.Mu.Unlock()
	o.hide = hide
}

// lend runs prepare, in which client-go stores standard error, with the pipe
// in its place.
func (o *pluginOutput) lend(prepare func() error) error {
	o.Mu.Lock()
	defer o.Mu.Unlock()
	if o.pipe == nil {
		from, to, err := os.Pipe()
		if err != nil {
			return err
		}
		o.pipe = to
		go o.read(from)
	}
	ours := os.Stderr
	os.Stderr = o.pipe
	defer func() { os.Stderr = ours }()
	return prepare()
}

func (o *pluginOutput) read(from io.Reader) {
	for buffer := make([]byte, 4<<10); ; {
		n, err := from.Read(buffer)
		if n > 0 {
			o.pass(string(buffer[:n]))
		}
		if err != nil {
			return
		}
	}
}

// pass forwards the lines of a piece. A piece that does not end with a line waits
// for its rest, a question not for long: it expects its answer on the same line.
func (o *pluginOutput) pass(piece string) {
	o.Mu.Lock()
	defer o.Mu.Unlock()
	for line := range strings.Lines(o.unfinished + piece) {
		o.unfinished = ""
		if !strings.HasSuffix(line, "\n") && len(line) < longestUnfinished {
			o.unfinished = line
			break
		}
		o.write(line)
	}
	if o.unfinished == "" {
		return
	}
	wait := unfinishedWait
	if asks(o.unfinished) {
		wait = questionWait
	}
	if o.flush == nil {
		o.flush = time.AfterFunc(wait, o.passUnfinished)
	}
	o.flush.Reset(wait)
}

// asks reports whether a piece of a line ends as a question to a person does:
// "Password: ", "Continue? [y/N] ", "code> ".
func asks(piece string) bool {
	piece = strings.TrimRight(piece, " \t")
	return piece != "" && strings.ContainsAny(piece[len(piece)-1:], ":?>])")
}

// passUnfinished forwards the piece of a line whose rest did not come.
func (o *pluginOutput) passUnfinished() {
	o.Mu.Lock()
	defer o.Mu.Unlock()
	if line := o.unfinished; line != "" {
		o.unfinished = ""
		o.write(line)
	}
}

// write forwards a line, or a piece of one, safe and without secrets.
func (o *pluginOutput) write(line string) {
	text, ended := strings.CutSuffix(line, "\n")
	text = o.masked(termtext.Form{Tabs: true}.Of(text))
	if short := termtext.Short(text, MaxCause); short != "" {
		o.last = short
	}
	if o.Quiet || o.passed > mostOfPlugin || ended && o.Said[text] {
		return
	}
	if ended {
		o.Said[text] = true
		text += "\n"
	}
	if o.passed += len(text); o.passed > mostOfPlugin {
		text = "\ntraintop: the credential plugin says more, which is left out\n"
	}
	_, _ = io.WriteString(o.Out, text) // no way to report it
}

// masked replaces the secrets of a line.
func (o *pluginOutput) masked(line string) string {
	if o.hide != nil {
		line = o.hide(line)
	}
	safe := redact.Text(line)
	if o.inKey {
		ends, part := strings.Contains(line, "-----END"), redact.PartOfKey(line)
		if o.inKey = !ends && part != redact.NotOfKey; ends || o.inKey {
			return redact.New().KeyLine(line)
		}
	}
	if strings.Contains(line, "-----BEGIN") && safe != line {
		o.inKey = !strings.Contains(line, "-----END")
	}
	return safe
}

// silence keeps messages off the terminal from now on, since a screen owns it.
func (o *pluginOutput) silence() {
	o.Mu.Lock()
	defer o.Mu.Unlock()
	o.Quiet = true
}

// silencedLine returns the newest line if messages are silenced, else "".
func (o *pluginOutput) silencedLine() string {
	o.Mu.Lock()
	defer o.Mu.Unlock()
	if !o.Quiet || o.last == "" {
		return ""
	}
	return "; it says: " + o.last
}
