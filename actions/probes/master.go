package probes

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/traintop/traintop/actions"
	"github.com/traintop/traintop/store"
)

// masterProgram finds the address of the first rank in the environment of the container,
// resolves it, and with the argument "port" connects to its port.
const masterProgram = `
import os, socket, sys, time
env = os.environ
def end(): sys.stdout.flush(); sys.exit(0)
host = port = name = ""
for addr, portname in (("MASTER_ADDR", "MASTER_PORT"), ("PET_MASTER_ADDR", "PET_MASTER_PORT"), ("PET_RDZV_ENDPOINT", ""),
        ("JAX_COORDINATOR_ADDRESS", "JAX_COORDINATOR_PORT"), ("COORDINATOR_ADDRESS", "COORDINATOR_PORT"), ("PADDLE_MASTER", ""),
        ("DMLC_TRACKER_URI", "DMLC_TRACKER_PORT"), ("RAY_ADDRESS", ""), ("LWS_LEADER_ADDRESS", "")):
    if env.get(addr):
        name, host = addr, env[addr].split("://")[-1]
        if host.count(":") == 1:
            host, port = host.split(":")
        port = env.get(portname, "") or port
        break
if not host:
    print("unset"); end()
print("variable", name); print("host", host)
try:
    found = sorted(set(a[4][0] for a in socket.getaddrinfo(host, None)))
except Exception as e:
    print("unresolved", e); end()
for a in found: print("address", a)
if sys.argv[1:] == ["port"]:
    if not port:
        print("portless"); end()
    print("port", port)
    began = time.time()
    try:
        socket.create_connection((host, int(port)), 5).close()
        print("connected", int((time.time() - began) * 1000))
    except Exception as e:
        print("unconnected", type(e).__name__, e)
end()
`

// masterScript does the same without Python: getent of glibc or musl, and nc.
const masterScript = `
h=${MASTER_ADDR:-${PET_MASTER_ADDR:-${COORDINATOR_ADDRESS:-${DMLC_TRACKER_URI:-}}}}
p=${MASTER_PORT:-${PET_MASTER_PORT:-${COORDINATOR_PORT:-${DMLC_TRACKER_PORT:-}}}}
[ -n "$h" ] || { echo unset; exit 0; }
echo "host $h"
a=$(getent hosts "$h" | cut -d' ' -f1) || a=
[ -n "$a" ] || { echo "unresolved getent finds no address"; exit 0; }
for i in $a; do echo "address $i"; done
[ "$1" = port ] || exit 0
[ -n "$p" ] || { echo portless; exit 0; }
echo "port $p"
command -v nc >/dev/null 2>&1 || { echo "unable there is neither python nor nc in the container"; exit 0; }
if e=$(nc -z -w 5 "$h" "$p" 2>&1); then echo "connected"; else echo "unconnected $e"; fi
`

func dnsMaster() Probe {
	return Probe{
		ID: "dns-master", Title: "MASTER_ADDR resolves",
		About: "Whether the name of the first rank (MASTER_ADDR, PET_RDZV_ENDPOINT and the like) has an address in each rank, and the same one.",
		Commands: func(*store.Snapshot, actions.Target) [][]string {
			return append(python(masterProgram, "dns"), shell(masterScript, "dns"))
		},
		Read: readMaster,
	}
}

func portMaster() Probe {
	return Probe{
		ID: "port-master", Title: "MASTER_PORT answers",
		About:   "Whether each rank reaches the port of the first rank; it connects and hangs up.",
		Timeout: 30 * time.Second,
		Commands: func(*store.Snapshot, actions.Target) [][]string {
			return append(python(masterProgram, "port"), shell(masterScript, "port"))
		},
		Read: readMaster,
	}
}

func readMaster(a actions.Answer) Result {
	if r, is := silent(a); is {
		return r
	}
	said := map[string]string{}
	var addresses []string
	for line := range lines(a.Stdout) {
		word, rest, _ := strings.Cut(line, " ")
		if word == "address" && len(addresses) < 16 {
			addresses = append(addresses, rest)
		}
		if _, known := said[word]; !known {
			said[word] = rest
		}
	}
	slices.Sort(addresses)
	r := Result{Detail: detail(a)}
	host := said["host"]
	_, unset := said["unset"]
	_, portless := said["portless"]
	_, connected := said["connected"]
	switch {
	case unset:
		r.State, r.Line, r.Key = Unclear, "no variable names the first rank (MASTER_ADDR, PET_RDZV_ENDPOINT, COORDINATOR_ADDRESS, ...)", "unset"
	case host == "":
		return unread(a)
	case said["unresolved"] != "":
		r.State, r.Line, r.Key = Bad, fmt.Sprintf("%s does not resolve: %s", host, said["unresolved"]), "unresolved"
	case portless:
		r.State, r.Line = Unclear, host+" resolves, and no variable names its port"
	case said["unable"] != "":
		r.State, r.Line = Unclear, fmt.Sprintf("%s is %s; %s", host, strings.Join(addresses, ", "), said["unable"])
	case connected:
		r.State, r.Key = Good, "answers "+host+":"+said["port"]
		r.Line = fmt.Sprintf("%s:%s answers%s", host, said["port"], took(said["connected"]))
	case said["port"] != "":
		r.State, r.Line, r.Key = Bad, fmt.Sprintf("%s:%s does not answer: %s", host, said["port"], meaning(said["unconnected"])), "does not answer"
	case len(addresses) > 0:
		r.State, r.Line = Good, host+" is "+strings.Join(addresses, ", ")
		r.Key = strings.Join(addresses, " ")
	default:
		return unread(a)
	}
	return r
}

func took(milliseconds string) string {
	if milliseconds == "" {
		return ""
	}
	return " after " + milliseconds + " ms"
}

// meaning explains a refused or lost connection.
func meaning(text string) string {
	text = strings.TrimSpace(text)
	switch lower := strings.ToLower(text); {
	case strings.Contains(lower, "refused"):
		return "connection refused, so nothing listens there: the first rank has not begun, has ended, or uses another port"
	case strings.Contains(lower, "timed out"), strings.Contains(lower, "timeout"), text == "":
		return "no answer within 5 s: a network policy or the network drops it, or its node is gone"
	case strings.Contains(lower, "no route"), strings.Contains(lower, "unreachable"):
		return "no way there: the pod is gone, or the network is broken (" + text + ")"
	}
	return text
}
