package probes

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/traintop/traintop/actions"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/termtext"
)

// infinibandScript prints the kernel's state of every port, and the devices that the
// container may open.
const infinibandScript = `
for p in /sys/class/infiniband/*/ports/*; do
  [ -r "$p/state" ] || continue
  d=${p#/sys/class/infiniband/}
  echo "port|${d%%/*}|${p##*/}|$(cat "$p/state")|$(cat "$p/phys_state")|$(cat "$p/rate" 2>/dev/null)|$(cat "$p/link_layer")"
done
for d in /dev/infiniband/uverbs*; do [ -e "$d" ] && echo "device|$d"; done
echo end
`

func infinibandPorts() Probe {
	return Probe{
		ID: "infiniband", Title: "InfiniBand and RoCE ports",
		About: "State and rate of every port that the container sees, and whether it may open the devices.",
		Commands: func(*store.Snapshot, actions.Target) [][]string {
			return [][]string{shell(infinibandScript), {"ibstat"}}
		},
		Read: readInfiniband,
	}
}

// port is a port of a network card.
type port struct {
	device, number, state, physical, rate, layer string
}

func (p port) active() bool { return strings.Contains(strings.ToLower(p.state), "active") }

func (p port) name() string { return p.device + "/" + p.number }

func readInfiniband(a actions.Answer) Result {
	if r, is := silent(a); is {
		return r
	}
	ports, devices, known := readPorts(a.Stdout)
	r := Result{State: Good, Detail: detail(a)}
	if len(ports) == 0 {
		if !known {
			return unread(a)
		}
		r.State, r.Line, r.Key = Neutral, "no InfiniBand or RoCE card is to be seen: NCCL uses TCP sockets", "none"
		return r
	}
	rates := map[string]int{}
	var down []string
	for _, p := range ports {
		if p.active() {
			rates[p.rate+" "+p.layer]++
		} else {
			down = append(down, p.name())
		}
	}
	r.Line = fmt.Sprintf("%d of %s active%s", len(ports)-len(down), termtext.Count(len(ports), "port"), ratesOf(rates))
	slices.Sort(down)
	r.Key = r.Line + " down " + strings.Join(down, " ")
	switch {
	case len(down) == len(ports):
		r.State = Bad
		r.Line = "no port is active: " + strings.Join(down, ", ")
	case len(down) > 0:
		r.State = Neutral // ports without a cable are normal
		r.Line += ", down: " + strings.Join(down, ", ")
	}
	if devices == 0 && strings.Contains(string(a.Stdout), "\nend") {
		r.State, r.Line = Neutral, r.Line+"; the container may open none of them (no rdma resource), so NCCL uses TCP sockets"
		r.Key += " closed"
	}
	return r
}

func ratesOf(rates map[string]int) string {
	var parts []string
	for rate, n := range rates {
		if rate = strings.TrimSpace(rate); rate != "" {
			parts = append(parts, fmt.Sprintf("%d x %s", n, rate))
		}
	}
	slices.Sort(parts)
	if len(parts) == 0 {
		return ""
	}
	return " (" + strings.Join(parts, ", ") + ")"
}

// ibstatLine matches "  State: Active" of ibstat (infiniband-diags 5).
var ibstatLine = regexp.MustCompile(`^\s*(CA '([^']*)'|Port (\d+):|(State|Physical state|Rate|Link layer): (.*))$`)

// readPorts parses the script's lines, or ibstat's.
func readPorts(text []byte) (ports []port, devices int, known bool) {
	card := ""
	for line := range lines(text) {
		switch parts := strings.Split(line, "|"); {
		case line == "end":
			known = true
		case parts[0] == "device":
			devices++
		case parts[0] == "port" && len(parts) == 7:
			ports = append(ports, port{parts[1], parts[2], after(parts[3]), after(parts[4]), parts[5], parts[6]})
		default:
			card, ports = ibstat(line, card, ports)
		}
		if len(ports) == maxDetail {
			break
		}
	}
	return ports, devices, known
}

func ibstat(line, card string, ports []port) (string, []port) {
	found := ibstatLine.FindStringSubmatch(line)
	switch {
	case found == nil:
	case found[2] != "":
		return found[2], ports
	case found[3] != "":
		ports = append(ports, port{device: card, number: found[3]})
	case len(ports) > 0:
		p := &ports[len(ports)-1]
		switch found[4] {
		case "State":
			p.state = found[5]
		case "Physical state":
			p.physical = found[5]
		case "Rate":
			p.rate = found[5] + " Gb/sec"
		case "Link layer":
			p.layer = found[5]
		}
	}
	return card, ports
}

// after removes the number from the kernel's text: "4: ACTIVE".
func after(state string) string {
	if _, word, numbered := strings.Cut(state, ": "); numbered {
		return word
	}
	return state
}
