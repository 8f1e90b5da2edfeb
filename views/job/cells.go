package job

import (
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train"
	"github.com/traintop/traintop/views"
	"github.com/traintop/traintop/views/draw"
)

// cellKind is the quantity in the cells of GPUs and of the wall.
type cellKind int

const (
	cellUse cellKind = iota
	cellPower
	cellTensor
	cellSM
	cellState // the wall shows the state of ranks
	cellKinds
)

// quantity is the quantity of a cell; the state has none and uses the
// utilization.
func (c cellKind) quantity() train.Quantity {
	switch c {
	case cellPower:
		return train.GPUPower
	case cellTensor:
		return train.GPUTensorActive
	case cellSM:
		return train.GPUSMActive
	}
	return train.GPUUtilization
}

// word names the content of cells, with the unit of the numbers.
func (c cellKind) word() string {
	return [...]string{"use %", "power W", "tensor %", "SM %", "state"}[c]
}

// inCells is the quantity of cells with numbers.
func (c cellKind) inCells() cellKind {
	if c == cellState {
		return cellUse
	}
	return c
}

// nextCells switches cells to the next kind that any GPU reports.
func (t *ranksTab) nextCells() views.Effect {
	if t.gpus.sum == nil {
		return views.Notice{Text: "nothing is measured of this job's GPUs"}
	}
	for {
		t.cells = (t.cells + 1) % cellKinds
		if t.cells == cellState || t.gpus.reported[t.cells] {
			return views.Notice{Text: "cells show the " + t.cells.word()}
		}
	}
}

// number is the value of a GPU's cell, as a number without its unit and as a
// share of the highest.
func (g *rankGPUs) number(state *train.GPUState, kind cellKind) (number, share float64, known bool) {
	v, known := state.Values.Get(kind.quantity())
	share = v / max(g.highest[kind], 1e-9)
	if kind == cellTensor || kind == cellSM {
		v *= 100
	}
	return v, share, known
}

// shareOf is the mean share of a rank's GPUs, and how fresh its numbers are.
func (g *rankGPUs) shareOf(f views.Frame, rankIndex int, kind cellKind) (share float64, fresh train.Freshness, known bool) {
	n := 0.0
	for _, state := range g.ofRank[rankIndex] {
		if _, s, has := g.number(state, kind); has {
			share, n = share+s, n+1
			fresh = max(fresh, state.Freshness(f.Now()))
		}
	}
	if n == 0 {
		return 0, train.Fresh, false
	}
	return share / n, fresh, true
}

// heat is a cell of a share, greyed when its number is old.
func heat(t *themes.Theme, share float64, fresh train.Freshness, known bool) (glyph string, role themes.Role) {
	if known && fresh != train.Fresh {
		return draw.HeatStale(t, share)
	}
	return draw.Heat(t, share, known)
}

// gpuRole is the role of a GPU that is odd, in which no healthy one is drawn;
// odd is false for one that is well.
func (t *ranksTab) gpuRole(state *train.GPUState) (role themes.Role, odd bool) {
	for _, s := range t.frame.Diagnosis.Signals().GPU(state.GPU.ID()) {
		if s.Severity != train.SeverityInfo {
			return signalRole(&s), true
		}
	}
	return themes.Waiting, false
}
