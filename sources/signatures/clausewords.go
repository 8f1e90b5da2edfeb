package signatures

import "github.com/traintop/traintop/train"

// clauseWords are words of a scheduler's clause that no row knows, by what they are about,
// the more specific first: plug-ins, extenders and vendors' schedulers word their reasons
// as they like. Without any of these words a clause is filter-unknown.
var clauseWords = []struct {
	cause train.Cause
	words string
}{
	{"dra-claim-pending", `\bresource ?claims?\b|\bdevice ?class(?:es)?\b|\bresource ?slices?\b`},
	{"pvc-wrong-access-mode", `\bread(?:write|only)(?:once|many)\w*|\baccess modes?\b`},
	{"max-volume-count", `\bvolume (?:count|limit)|\battach\w* limit`},
	{"volume-node-affinity-conflict", `\bvolumes?\b[^,\n]*\b(?:zones?|affinity|topology)\b`},
	{"unbound-pvc", `\bpersistent ?volume ?claims?\b|\bpvcs?\b|\bpvc\(s\)|\bvolumes?\b[^,\n]*\b(?:bind|bound)\b`},
	{"untolerated-taint", `\btaint|tolerat`},
	{"host-port-conflict", `\bhost ?ports?\b|\bfree ports?\b`},
	{"numa-misplacement", `\bnuma|\btopology (?:manager|affinity|policy)\b`},
	{"topology-mismatch", `\bhyper ?nodes?\b|\bnetwork[- ]topology\b|\btopology domains?\b`},
	{"pod-affinity-conflict", `anti-?affinity|\btopology ?spread|\bpod ?affinity`},
	{"queue-quota-exceeded", `\bquotas?\b[^,\n]*(?:exceed|insufficient|not enough|used up|is full)|(?:exceed|insufficient|not enough|over|no)\w*[^,\n]*\bquotas?\b|\boverused\b`},
	{"gang-not-ready", `\bgang|\bpod ?group`},
	{"insufficient-gpu", `[gnx]pu|\bmlu|\bdcu|device|card|accelerator`},
	{"insufficient-ephemeral-storage", `\bephemeral|\bdisk (?:space|size)\b`},
	{"insufficient-memory", `(?:insufficient|not enough|exceed|lacks?)[^,\n]*\bmemory\b|\bmemory\b[^,\n]*(?:insufficient|not enough|exceed)`},
	{"insufficient-cpu", `(?:insufficient|not enough|exceed|lacks?)[^,\n]*\bv?cpus?\b|\bv?cpus?\b[^,\n]*(?:insufficient|not enough|exceed)`},
	{"too-many-pods", `\btoo many pods\b|\bpods? (?:number|count|limit)\b`},
	{"node-unschedulable", `\bcordon|\bnodes?\b[^,\n]*\b(?:draining|under maintenance)\b`},
	{"node-not-ready", `\bnot ?ready\b|\bnot healthy\b|\bunhealthy\b|\bpressure\b`},
}

// clauseRows returns a row for each cause of clauseWords.
func clauseRows() []row {
	var all []row
	for _, c := range clauseWords {
		all = append(all, row{"filter-words-" + string(c.cause), c.cause, InEvent, []string{" nodes are available: ", " nodes are unavailable: "},
			`\b\d+/\d+ nodes are (?:un)?available: (?:[^\n]*?, )?(?:(\d+) )?([^,\n]*?(?i:` + c.words + `)[^,\n]*)`, wrapper + 6, true,
			"kube-scheduler framework/types.go FitError: the words of a reason that no row knows"})
	}
	return all
}
