// Command traintop as it is, but for a goroutine that panics on SIGUSR1, in
// which neither the interface nor Bubble Tea recovers.
package main

import (
	"os"
	"os/signal"
	"syscall"

	"github.com/traintop/traintop/cli"
)

func main() {
	asked := make(chan os.Signal, 1)
	signal.Notify(asked, syscall.SIGUSR1)
	go func() {
		<-asked
		panic("a goroutine broke")
	}()
	os.Exit(cli.Main(os.Args[1:]))
}
