package alerts

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/traintop/traintop/sources/localfile"
)

// largestState is how long a state may be, in bytes: ten thousand jobs in each
// of some incidents.
const largestState = 64 << 20

// stateVersion is that of the file's form.
const stateVersion = 1

// State is what a watcher keeps on disk: incidents, what is followed, and
// notices on their way.
type State struct {
	Version int    `json:"version"`
	Cluster string `json:"cluster"`
	// Address is that of the cluster's API server, "" where it is not known: other
	// clusters may have the same name.
	Address   string      `json:"address,omitempty"`
	LastSeen  time.Time   `json:"lastSeen"`
	Incidents []*Incident `json:"incidents"`
	Followed  []followed  `json:"followed"`
	// SentBy are the instants of notices in the last hour, by rule.
	SentBy map[string][]time.Time `json:"sentBy,omitempty"`
	// Ended are troubles that went away in the last hours, and may come back.
	Ended map[string]ended `json:"ended,omitempty"`
	// Outgoing are notices that were to be sent, or were being sent, when it was
	// written.
	Outgoing []Outgoing `json:"outgoing,omitempty"`
}

// followed is a follow in a file.
type followed struct {
	Key      string     `json:"key"`
	First    time.Time  `json:"first"`
	Last     time.Time  `json:"last"`
	Away     time.Time  `json:"away,omitzero"`
	Incident IncidentID `json:"incident,omitempty"`
	Owed     Change     `json:"owed,omitempty"`
	Sent     time.Time  `json:"told,omitzero"`
	Changes  int        `json:"changes,omitempty"`
	Flaps    int        `json:"flaps,omitempty"`
	Grown    time.Time  `json:"grown,omitzero"`
}

// Outgoing is a notice on its way to one receiver.
type Outgoing struct {
	Receiver string `json:"receiver"`
	Notice   Notice `json:"notice"`
}

// State returns what is to be kept.
func (t *Tracker) State(outgoing []Outgoing) State {
	s := State{Version: stateVersion, Cluster: t.Cluster, LastSeen: t.lastSeen, Outgoing: outgoing, SentBy: maps.Clone(t.sentBy), Ended: maps.Clone(t.ended)}
	for _, i := range t.incidents {
		c := copied(i)
		s.Incidents = append(s.Incidents, &c)
	}
	for key, f := range t.followed {
		kept := followed{Key: key, First: f.first, Last: f.last, Away: f.away, Owed: f.owed, Sent: f.sent, Changes: f.changes, Flaps: f.flaps, Grown: f.grown}
		if f.incident != nil {
			kept.Incident = f.incident.ID
		}
		s.Followed = append(s.Followed, kept)
	}
	return s
}

// Continue takes up a state, of the same cluster.
func (t *Tracker) Continue(s State) {
	t.followed, t.sentBy, t.ended = map[string]*follow{}, map[string][]time.Time{}, map[string]ended{}
	maps.Copy(t.sentBy, s.SentBy)
	maps.Copy(t.ended, s.Ended)
	t.lastSeen, t.incidents = s.LastSeen, s.Incidents
	for _, kept := range s.Followed {
		f := &follow{first: kept.First, last: kept.Last, away: kept.Away, owed: kept.Owed, sent: kept.Sent, changes: kept.Changes, flaps: kept.Flaps, grown: kept.Grown}
		if kept.Incident != "" {
			if f.incident = t.find(kept.Incident); f.incident == nil {
				continue
			}
		}
		t.followed[kept.Key] = f
	}
}

// errUnusable is the reason of a file that can be read and contains nothing that
// can be used: cut off, or of another program.
var errUnusable = errors.New("move the file away to begin anew")

// ReadState reads a state. A missing file is the zero State.
func ReadState(path string) (State, error) {
	text, err := localfile.Read(path, largestState)
	if errors.Is(err, fs.ErrNotExist) {
		return State{}, nil
	}
	if err != nil {
		return State{}, fmt.Errorf("reading which incidents were sent: %w", err)
	}
	var s State
	if err := json.Unmarshal(text, &s); err != nil {
		return State{}, fmt.Errorf("reading which incidents were sent from %s: %w; %w", path, err, errUnusable)
	}
	if s.Version != stateVersion {
		return State{}, fmt.Errorf("%s is of version %d, and this program writes version %d; %w", path, s.Version, stateVersion, errUnusable)
	}
	for k, i := range s.Incidents {
		if i == nil || i.ID == "" {
			return State{}, fmt.Errorf("reading which incidents were sent from %s: incident %d has no id; %w", path, k, errUnusable)
		}
	}
	return s, nil
}

// IsOfOther reports whether a file is the state of a watcher of a cluster at another
// address. One of earlier versions has no address, and is of any.
func IsOfOther(path, address string) bool {
	s, err := ReadState(path)
	return err == nil && otherAddress(s.Address, address)
}

// otherAddress reports whether a file with an address is of another cluster.
func otherAddress(written, address string) bool {
	return written != "" && address != "" && written != address
}

// unusableSuffix is added to the name of a state that could not be used.
const unusableSuffix = ".unusable"

// takeUp reads the state at a path. One that cannot be used is moved beside, and
// the watcher begins anew: it is better than none. A file that no watcher wrote
// stays where it is, and is an error.
func (w *Watcher) takeUp(path string) (State, error) {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return State{}, fmt.Errorf("%s is no file that a watcher could keep its state in; choose another with --state, or none", path)
	}
	state, err := ReadState(path)
	if !errors.Is(err, errUnusable) {
		return state, err
	}
	if !writtenByWatcher(path) {
		return State{}, fmt.Errorf("%s was not written by a watcher, and stays as it is; choose another file with --state", path)
	}
	aside, failed := moveAside(path)
	if failed != nil {
		return State{}, fmt.Errorf("%w (moving it failed: %w)", err, failed)
	}
	w.Say(fmt.Sprintf("%s; it was moved to %s, and this watcher begins anew: what is wrong now counts as old and is not sent",
		strings.TrimSuffix(err.Error(), "; "+errUnusable.Error()), aside))
	return State{}, nil
}

// stateBegins is how WriteState begins each file: a State's first field.
const stateBegins = `{"version":`

// writtenByWatcher reports whether a file is empty, or begins as WriteState does.
func writtenByWatcher(path string) bool {
	text, err := localfile.Read(path, largestState)
	return err == nil && (len(text) == 0 || strings.HasPrefix(string(text), stateBegins))
}

// mostAside bounds how many unusable states may lie beside each other.
const mostAside = 100

// moveAside renames a file and returns its new name, which no file had.
func moveAside(path string) (string, error) {
	for n := 1; n <= mostAside; n++ {
		aside := path + unusableSuffix
		if n > 1 {
			aside += fmt.Sprintf("-%d", n)
		}
		if err := os.Link(path, aside); errors.Is(err, fs.ErrExist) {
			continue
		} else if err != nil {
			return "", err
		}
		return aside, os.Remove(path)
	}
	return "", fmt.Errorf("there are %d of them already, as %s", mostAside, path+unusableSuffix)
}

// WriteState replaces a state in one step: a reader sees the old or the new.
func WriteState(path string, s State) error {
	if err := replaceJSON(path, s); err != nil {
		return fmt.Errorf("writing which incidents were sent: %w", err)
	}
	return nil
}

// replaceJSON replaces a file in one step, and makes the folder that it is in. A
// link stays, and what it leads to is replaced; a link to what is not there, a device or
// a folder is refused.
func replaceJSON(path string, content any) (err error) {
	text, err := json.Marshal(content)
	if err != nil {
		return err
	}
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	} else if to, err := os.Readlink(path); err == nil {
		return fmt.Errorf("%s is a link to %s, which is not there", path, to)
	}
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("%s is no file", path)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = os.Remove(f.Name())
		}
	}()
	_, err = f.Write(text)
	err = errors.Join(err, f.Sync(), f.Close())
	if err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}
