package node

import (
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/traintop/traintop/diagnose/signals"
	"github.com/traintop/traintop/termtext"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/train/kinds"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/draw"
)

// held reports how many GPUs and how many MIG slices pods hold, and how many are
// free.
func held(n *train.Node, free signals.FreeGPUs, orMore, atMost string) string {
	var parts []string
	add := func(what string, held, all, free int) {
		parts = append(parts, fmt.Sprintf("%d%s of %d %s held, %d free%s", held, orMore, all, what, free, atMost))
	}
	if n.Slices.All() == 0 || n.Slices.All() < n.All() {
		add("GPUs", n.Held-n.Slices.Held, n.Allocatable-n.Slices.Allocatable, free.Free-free.Slices)
	}
	if n.Slices.All() > 0 {
		add("MIG slices", n.Slices.Held, n.Slices.Allocatable, free.Slices)
	}
	return strings.Join(parts, "; ")
}

// facts are the lines above the pods.
func facts(f views.Frame, name string) []string {
	n := f.Snapshot.Node(name)
	if n == nil {
		return []string{f.Line().Add(themes.Dim, " nothing is known of this node itself").String(), ""}
	}
	offers := f.Line().Add(themes.Strong, " "+status(n))
	if n.Capacity > 0 || n.All() > 0 {
		free := f.Diagnosis.Signals().FreeOn(f.Snapshot, n)
		if views.PodsOutOfSight(f.Snapshot) && n.Free() > 0 {
			offers.Add(themes.Text, "   "+held(n, free, " or more", " at most"))
			offers.Add(themes.Waiting, ", "+views.OutOfSight)
		} else {
			offers.Add(themes.Text, "   "+held(n, free, "", ""))
		}
		if rest := free.Rest(); rest != "" {
			offers.Add(themes.Waiting, ", "+rest)
		}
		if n.OverHeld() != "" {
			offers.Add(themes.Waiting, ", over-held")
		}
		if n.Allocatable < n.Capacity {
			offers.Add(themes.Bad, fmt.Sprintf("   %d of %d out of order", n.Capacity-n.Allocatable, n.Capacity))
		}
		offers.Add(themes.Dim, "   "+draw.Clean(strings.TrimSpace(n.Model+" "+n.GPUResource)))
	}
	offers.Add(themes.Dim, fmt.Sprintf("   CPU %s/%s   memory %s/%s", draw.Cores(n.CPUHeld), draw.Cores(n.CPU), termtext.Quantity(n.MemoryHeld), termtext.Quantity(n.Memory)))
	lines := []string{offers.String()}
	wrong := conditions(f, name)
	if n.Trouble != "" && len(wrong) == 0 {
		lines = append(lines, f.Line().Add(themes.Bad, " "+draw.Clean(views.Trouble(n, f.Ages))).String())
	}
	if len(n.Taints) > 0 {
		lines = append(lines, f.Line().Add(themes.Dim, " taints  ").Add(themes.Text, draw.Clean(strings.Join(n.Taints, "  "))).String())
	}
	lines = append(lines, wrong...)
	return append(lines, "")
}

func status(n *train.Node) string {
	switch {
	case !n.Ready && n.Cordoned:
		return "not ready, cordoned"
	case !n.Ready:
		return "not ready"
	case n.Cordoned:
		return "cordoned"
	}
	return "ready"
}

// conditions are those that report a fault: Ready when it is not True, every
// other one when it is True.
func conditions(f views.Frame, name string) []string {
	o, _ := f.Snapshot.Object(kinds.NodeKind, "", name)
	node, isNode := o.(*corev1.Node)
	if !isNode {
		return nil
	}
	var lines []string
	for _, c := range node.Status.Conditions {
		wrong := c.Status == corev1.ConditionTrue
		if c.Type == corev1.NodeReady {
			wrong = !wrong
		}
		if !wrong {
			continue
		}
		line := f.Line().Add(themes.Bad, " "+draw.Clean(string(c.Type))+" "+draw.Clean(string(c.Status)))
		line.Add(themes.Dim, " "+f.Ages.Since(kinds.HeldSince(node, c.LastTransitionTime.Time))+"  ")
		lines = append(lines, line.Add(themes.Text, draw.Clean(c.Reason+"  "+c.Message)).String())
	}
	return lines
}
