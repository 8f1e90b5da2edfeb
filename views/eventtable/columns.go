// Package eventtable has the columns of Kubernetes events that the screen of
// all events and that of one job share.
package eventtable

import (
	"cmp"
	"strconv"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/traintop/traintop/keymap"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train/kinds"
	"github.com/traintop/traintop/views/draw"
)

type event = *corev1.Event

// Titles of the columns.
const (
	TitleType      = "TYPE"
	TitleNamespace = "NAMESPACE"
	TitleSeen      = "LAST SEEN"
	TitleCount     = "COUNT"
	TitleObject    = "OBJECT"
	TitleReason    = "REASON"
)

// Columns are those of every table of events.
func Columns() []draw.Column[*corev1.Event] {
	return []draw.Column[event]{
		{Title: TitleType, Importance: 85, Cell: kind, Compare: byText(func(e event) string { return e.Type }), Descending: true},
		{Title: TitleNamespace, Importance: 40, Name: true, Min: 6, Max: 24, Cell: quiet(func(e event) string { return e.Namespace }), Compare: byText(func(e event) string { return e.Namespace })},
		{Title: TitleSeen, Importance: 80, Right: true, Cell: func(e event, ink draw.Ink) draw.Cell {
			return draw.Cell{Text: ink.Ages.Since(kinds.EventTime(e))}
		}, Compare: func(a, b event) int { return kinds.EventTime(b).Compare(kinds.EventTime(a)) }},
		{Title: TitleCount, Importance: 45, Right: true, Cell: quiet(func(e event) string { return strconv.Itoa(kinds.EventCount(e)) }), Compare: func(a, b event) int { return cmp.Compare(kinds.EventCount(a), kinds.EventCount(b)) }, Descending: true},
		{Title: "FIRST SEEN", Importance: 20, Right: true, Wide: true, Cell: func(e event, ink draw.Ink) draw.Cell {
			return draw.Cell{Text: ink.Ages.Since(firstSeen(e)), Role: themes.Dim}
		}},
		{Title: "SOURCE", Importance: 18, Max: 30, Wide: true, Cell: quiet(func(e event) string { return cmp.Or(e.Source.Component, e.ReportingController) })},
		{Title: TitleReason, Importance: 70, Min: 16, Want: 24, Max: 34, Cell: func(e event, _ draw.Ink) draw.Cell {
			if e.Type == corev1.EventTypeNormal {
				return draw.Cell{Text: e.Reason}
			}
			return draw.Cell{Text: e.Reason, Role: themes.Strong}
		}, Compare: byText(func(e event) string { return e.Reason })},
		{Title: TitleObject, Importance: 82, Name: true, Min: 10, Max: 40, Cell: func(e event, _ draw.Ink) draw.Cell { return draw.Cell{Text: object(e)} }, Compare: byText(object)},
		{Title: "MESSAGE", Importance: 90, Min: 14, Share: 40, Grow: true, Wrap: true, Cell: quiet(func(e event) string { return e.Message })},
	}
}

func byText(of func(event) string) func(a, b event) int {
	return func(a, b event) int { return cmp.Compare(of(a), of(b)) }
}

func quiet(of func(event) string) func(event, draw.Ink) draw.Cell {
	return func(e event, _ draw.Ink) draw.Cell { return draw.Cell{Text: of(e), Role: themes.Dim} }
}

func kind(e event, ink draw.Ink) draw.Cell {
	if e.Type == corev1.EventTypeNormal {
		return draw.Cell{Text: ink.Theme.Glyphs.Dot + " normal", Role: themes.Dim}
	}
	return draw.Cell{Text: ink.Theme.Glyphs.Warning + " " + strings.ToLower(cmp.Or(e.Type, "unknown")), Role: themes.Bad}
}

func object(e event) string {
	return strings.ToLower(e.InvolvedObject.Kind) + "/" + e.InvolvedObject.Name
}

// Key is an event's identity.
func Key(e *corev1.Event) string { return e.Namespace + "/" + e.Name }

// Warning reports whether an event is of type Warning.
func Warning(e *corev1.Event) bool { return e.Type != corev1.EventTypeNormal }

// Sorts maps each sort key to its column.
func Sorts() map[keymap.Action]string {
	return map[keymap.Action]string{
		keymap.SortAge: TitleSeen, keymap.SortLastSeen: TitleSeen, keymap.SortNS: TitleNamespace, keymap.SortName: TitleObject,
		keymap.SortStatus: TitleType, keymap.SortCount: TitleCount, keymap.SortReason: TitleReason,
	}
}

func firstSeen(e event) time.Time {
	for _, at := range []time.Time{e.FirstTimestamp.Time, e.EventTime.Time} {
		if !at.IsZero() {
			return at
		}
	}
	return e.CreationTimestamp.Time
}
