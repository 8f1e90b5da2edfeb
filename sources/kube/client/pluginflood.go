package client

import (
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

const (
	// mostPluginOutput is how many bytes a credential plugin may write. Credentials
	// have some KiB; what else a plugin writes, as logs and caches, counts too.
	mostPluginOutput = 256 << 20
	// floodLook is the time between two looks at what was written: a pipe passes
	// about 1 GiB in a second.
	floodLook = 100 * time.Millisecond
)

// floodWatch ends a credential plugin that writes without end, while one request waits
// for it: client-go keeps all that it prints (credentialPlugin).
type floodWatch struct {
	mu     sync.Mutex
	timer  *time.Timer // nil while no plugin can run for the request
	before int64       // pluginFloods when the request began to wait
}

// pluginFloods counts the processes that were ended: requests that wait see those of
// each other.
var pluginFloods atomic.Int64

// begin starts the looks, where this system reports what a process wrote.
func (w *floodWatch) begin() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if countsWritten && w.timer == nil {
		w.before = pluginFloods.Load()
		w.timer = time.AfterFunc(floodLook, w.look)
	}
}

// end stops the looks.
func (w *floodWatch) end() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.timer != nil {
		w.timer.Stop()
		w.timer = nil
	}
}

// look ends plugins, and what they started, that wrote too much.
func (w *floodWatch) look() {
	for _, process := range pluginProcesses() {
		if process.written() > mostPluginOutput {
			pluginFloods.Add(1)
			process.kill()
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.timer != nil {
		w.timer.Reset(floodLook)
	}
}

// why is the error of a plugin that was ended, err for another one.
func (w *floodWatch) why(p *credentialPlugin, err error) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if err == nil || w.before == pluginFloods.Load() || !strings.Contains(err.Error(), PluginFailed) {
		return err
	}
	return fmt.Errorf("%sthe credential plugin wrote more than %d MiB where credentials were asked for, and was ended; run it by hand to see why: `%s`", PluginFailed, mostPluginOutput>>20, Printable(p.command))
}
