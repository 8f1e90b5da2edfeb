package metrics

import (
	"net"
	"slices"

	"github.com/traintop/traintop/train"
)

// joinHosts completes readings without a machine from those of the same GPU that
// have one, and merges the two: an exporter, or who relabels its samples, may write
// the name of the machine on some of them only.
func joinHosts(all []*device) []*device {
	machines := machinesOf(all)
	if len(machines) == 0 {
		return all
	}
	at := map[gpuHolder]*device{}
	for _, d := range all {
		if g := &d.reading.GPU; g.Host != "" || g.Node != "" {
			at[gpuHolderOf(g)] = d
		}
	}
	return slices.DeleteFunc(all, func(d *device) bool {
		g := &d.reading.GPU
		machine, known := machines[uuidSlot{g.UUID, g.Index}]
		if g.Host != "" || g.Node != "" || !known || machine == (machineName{}) {
			return false
		}
		g.Node, g.Host = machine.node, machine.host
		same := at[gpuHolderOf(g)]
		if same == nil {
			at[gpuHolderOf(g)] = d
			return false
		}
		same.merge(d)
		return true
	})
}

// joinNamespaces merges a reading of a pod without a namespace into the only one of the same
// GPU and pod that has one: a person may have written the labels of the first sample alone.
func joinNamespaces(all []*device) []*device {
	named := map[gpuHolder][]*device{}
	without := func(g train.GPU) gpuHolder { g.Namespace, g.Container = "", ""; return gpuHolderOf(&g) }
	missing := false
	for _, d := range all {
		if g := d.reading.GPU; g.Namespace != "" {
			named[without(g)] = append(named[without(g)], d)
		} else {
			missing = missing || g.Pod != ""
		}
	}
	if !missing || len(named) == 0 {
		return all
	}
	return slices.DeleteFunc(all, func(d *device) bool {
		g := d.reading.GPU
		if same := named[without(g)]; g.Pod != "" && g.Namespace == "" && g.Container == "" && len(same) == 1 {
			same[0].merge(d)
			return true
		}
		return false
	})
}

// nameTargets names the machines of which a page has no name after the addresses that were
// scraped, where they are several: their GPUs have the same numbers.
func nameTargets(all []*device) {
	targets, hosts := map[string]bool{}, map[string]map[string]bool{} // targets of each host
	for _, d := range all {
		if g := &d.reading.GPU; g.Node == "" && g.Host == "" && d.target != "" {
			host := hostOfTarget(d.target)
			if hosts[host] == nil {
				hosts[host] = map[string]bool{}
			}
			targets[d.target], hosts[host][d.target] = true, true
		}
	}
	if len(targets) < 2 {
		return
	}
	for _, d := range all {
		if g := &d.reading.GPU; g.Node == "" && g.Host == "" && d.target != "" {
			if g.Host = hostOfTarget(d.target); len(hosts[g.Host]) > 1 {
				g.Host = d.target // several exporters on one machine, or behind one address
			}
		}
	}
}

// hostOfTarget is the address that was scraped without its port.
func hostOfTarget(target string) string {
	if host, _, err := net.SplitHostPort(target); err == nil && host != "" {
		return host
	}
	return target
}

// uuidSlot is a GPU of one machine.
type uuidSlot struct{ uuid, index string }

type machineName struct{ node, host string }

// machinesOf returns the machines of those GPUs that some readings name without
// their machine. A GPU with a UUID that two machines have gets none.
func machinesOf(all []*device) map[uuidSlot]machineName {
	nameless := func(d *device) bool {
		return d.reading.GPU.UUID != "" && d.reading.GPU.Host == "" && d.reading.GPU.Node == ""
	}
	if !slices.ContainsFunc(all, nameless) {
		return nil
	}
	machines := map[uuidSlot]machineName{}
	for _, d := range all {
		g := &d.reading.GPU
		if g.UUID == "" || nameless(d) {
			continue
		}
		slot, machine := uuidSlot{g.UUID, g.Index}, machineName{g.Node, g.Host}
		if before, met := machines[slot]; met && before != machine {
			machine = machineName{}
		}
		machines[slot] = machine
	}
	return machines
}

// gpuHolder is one GPU or slice with its holder.
type gpuHolder struct {
	place
	uuid string
}

func gpuHolderOf(g *train.GPU) gpuHolder { return gpuHolder{placeOf(g), g.UUID} }
