package faults

// Command is one command of the program.
type Command struct {
	Name string
	// args are its arguments, json those that print JSON, nil for none.
	args, json []string
	// endless ones are ended by the test.
	endless bool
}

// screen is the program without a command, on a terminal.
const screen = "the screen"

// file is replaced by a recording in the arguments.
const file = "FILE"

// Commands are those that read a cluster.
func Commands() []Command {
	return []Command{
		{Name: "jobs", args: []string{"jobs"}, json: []string{"jobs", "-o", "json"}},
		{Name: "diagnose", args: []string{"diagnose", "hubert-xl"}, json: []string{"diagnose", "hubert-xl", "-o", "json"}},
		{Name: "diagnose -A", args: []string{"diagnose", "-A"}, json: []string{"diagnose", "-A", "-o", "json"}},
		{Name: "curves", args: []string{"curves", "hubert-xl"}, json: []string{"curves", "hubert-xl", "-o", "json"}},
		{Name: "gpus", args: []string{"gpus"}, json: []string{"gpus", "-o", "json"}},
		{Name: "logs", args: []string{"logs", "hubert-xl"}},
		{Name: "logs -f", args: []string{"logs", "-f", "hubert-xl"}, endless: true},
		{Name: screen, args: []string{"traintop"}, endless: true},
		{Name: watcher, args: []string{"watch", "--state", "none"}, endless: true},
		{Name: elected, args: []string{"watch", "--state", "none", "--lease", "kube-system/traintop"}, endless: true},
		{Name: "record", args: []string{"record", "-o", file, "--for", "2s"}},
	}
}

func commandNamed(name string) Command {
	for _, c := range Commands() {
		if c.Name == name {
			return c
		}
	}
	return Command{}
}
