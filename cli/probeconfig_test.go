package cli

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/traintop/traintop/actions"
)

func TestOwnProbesAreArgumentLists(t *testing.T) {
	c, warnings := configOf(t, `
probes:
- name: eth-errors
  title: errors of the network card
  command: [ethtool, -S, "eth0; rm -rf /"]
  harmless: true
  timeout: 30s
- {name: drop-caches, command: [/opt/drop, -n, 5, true], timeout: 5}
`)
	if len(warnings) != 0 {
		t.Errorf("warnings %q", warnings)
	}
	own := c.OwnProbes()
	if len(own) != 2 || own[0].ID != "eth-errors" || own[0].Writes || own[0].Timeout != 30*time.Second || own[1].Timeout != 5*time.Second {
		t.Fatalf("%+v", own)
	}
	if got := own[0].Commands(nil, actions.Target{}); !slices.Equal(got[0], []string{"ethtool", "-S", "eth0; rm -rf /"}) {
		t.Errorf("%q", got)
	}
	if got := own[1].Commands(nil, actions.Target{}); !slices.Equal(got[0], []string{"/opt/drop", "-n", "5", "true"}) {
		t.Errorf("%q", got)
	}
	if !own[1].Writes {
		t.Error("a probe that is not called harmless asks first")
	}
}

func TestWhatIsNoProbeIsLeftOut(t *testing.T) {
	c, warnings := configOf(t, `
theme: nord
probes:
- {name: text, command: "df -h"}
- {name: shm, command: [df]}
- {name: Bad Name, command: [df]}
- {name: empty}
- {name: nested, command: [df, [x]]}
- {name: slow, command: [df], timeout: 2h}
- {name: twice, command: [df]}
- {name: twice, command: [df, -i]}
- {name: typo, command: [df], harmles: true}
`)
	all := strings.Join(warnings, "\n")
	for _, want := range []string{
		`the command of "text" has to be a list`, "there is a probe of the name shm already", `the name "Bad Name" has to be`, "the probe empty has no command", `the command of "nested" has to be a list`,
		`the timeout of "slow" is "2h"`, "there are two of the name twice", `"probes[8].harmles"`,
	} {
		if !strings.Contains(all, want) {
			t.Errorf("%q is not in the warnings %s", want, all)
		}
	}
	if own := c.OwnProbes(); len(own) != 2 || len(warnings) != 8 || c.Theme != "nord" {
		t.Errorf("%d probes, %d warnings, theme %q", len(own), len(warnings), c.Theme)
	}
}
