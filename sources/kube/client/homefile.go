package client

import (
	"os/user"
	"path/filepath"
	"sync"

	"k8s.io/client-go/tools/clientcmd"
)

// anchorHomeFile keeps the default kubeconfig in the home folder. Without $HOME
// (cron, systemd, env -i) clientcmd names it relative to the working folder
// (tools/clientcmd/loader.go, client-go 0.36), and a file there may be anybody's: it
// names servers to talk to and programs to run. The program's other files are
// looked for in the home folder of the user then, and so is this one.
var anchorHomeFile = sync.OnceFunc(func() {
	clientcmd.RecommendedHomeFile = homeFile(clientcmd.RecommendedHomeFile, user.Current)
})

// homeFile is the default kubeconfig, "" where no home folder is known.
func homeFile(file string, current func() (*user.User, error)) string {
	if filepath.IsAbs(file) {
		return file
	}
	who, err := current()
	if err != nil || !filepath.IsAbs(who.HomeDir) {
		return ""
	}
	return filepath.Join(who.HomeDir, clientcmd.RecommendedHomeDir, clientcmd.RecommendedFileName)
}
