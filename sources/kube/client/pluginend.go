package client

import (
	"sync"
	"time"
)

const (
	// pluginFarewell is how long a plugin that is ended may take to tidy up.
	pluginFarewell = 200 * time.Millisecond
	// pluginStep is the time between two looks whether it ended.
	pluginStep = 10 * time.Millisecond
)

// plugins are the credential plugins of this process.
var plugins struct {
	sync.Mutex
	all []*credentialPlugin
}

// EndPlugins ends credential plugins that still run, and all that they started, so
// that none outlives the program, and lets no other start. client-go starts plugins
// without a way to end them. The terminal gets the mode back that it had before them.
func EndPlugins() {
	plugins.Lock()
	defer plugins.Unlock()
	for _, p := range plugins.all {
		p.ended.Store(true)
	}
	if len(plugins.all) == 0 {
		return
	}
	started := pluginProcesses()
	for _, process := range started {
		process.terminate()
	}
	for waited := time.Duration(0); waited < pluginFarewell && anyAlive(started); waited += pluginStep {
		time.Sleep(pluginStep)
	}
	for _, process := range append(started, pluginProcesses()...) {
		process.kill()
	}
	pluginMode.end()
}

func anyAlive(all []pluginProcess) bool {
	for _, process := range all {
		if process.alive() {
			return true
		}
	}
	return false
}
