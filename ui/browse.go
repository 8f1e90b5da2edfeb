package ui

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"os/exec"
	"runtime"
	"time"

	tea "charm.land/bubbletea/v2"
)

// browse opens a forwarded port in the person's browser.
func (a *acting) browse(address string) tea.Cmd {
	command, err := browserFor(runtime.GOOS, a.m.environment, address)
	if err != nil {
		return a.m.say(err.Error(), true)
	}
	return a.m.host.OffLoop(func() tea.Msg {
		if err := launchBrowser(command); err != nil {
			return a.m.host.Notice(fmt.Sprintf("opening %s: %v; open it yourself", address, err), true)
		}
		return a.m.host.Notice("opened "+address, false)
	})
}

// browserFor is the command that opens an address on each system. Only
// addresses of this machine are opened, and the address is one argument, so
// that text from a cluster cannot become another argument.
func browserFor(system string, environment func(string) string, address string) ([]string, error) {
	parsed, err := url.Parse(address)
	if err != nil || parsed.Scheme != "http" && parsed.Scheme != "https" || parsed.User != nil || !loopback(parsed.Hostname()) {
		return nil, fmt.Errorf("%q is no address of a forwarded port", address)
	}
	switch {
	case system == "windows":
		return []string{"rundll32", "url.dll,FileProtocolHandler", parsed.String()}, nil
	case system == "darwin":
		return []string{"open", parsed.String()}, nil
	case environment("DISPLAY") == "" && environment("WAYLAND_DISPLAY") == "":
		// xdg-open would start a browser that draws on the terminal.
		return nil, fmt.Errorf("there is no desktop here to open a browser on; c copies the address %s", address)
	}
	return []string{"xdg-open", parsed.String()}, nil
}

func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// browserTime is how long an opener may take to fail; one that runs longer is
// the browser itself.
const browserTime = 3 * time.Second

func launchBrowser(command []string) error {
	run := exec.Command(command[0], command[1:]...)
	if err := run.Start(); err != nil {
		if errors.Is(err, exec.ErrNotFound) {
			return fmt.Errorf("there is no %s on this machine", command[0])
		}
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- run.Wait() }() // the goroutine ends with the browser, which may outlive this program
	select {
	case err := <-ended:
		return err
	case <-time.After(browserTime):
		return nil
	}
}
