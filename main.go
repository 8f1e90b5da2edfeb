// Command traintop watches training jobs on Kubernetes. See package cli.
package main

import (
	"os"

	"github.com/traintop/traintop/cli"
)

func main() { os.Exit(cli.Main(os.Args[1:])) }
