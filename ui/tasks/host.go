// Package tasks carries out a key's action in the cluster: copy files, forward
// ports, edit an object, change objects, add a debug container, open a shell.
//
// Each task is a struct with Start, which asks or begins; messages report its
// progress and its end. A task sees the program around it as a Host.
package tasks

import (
	"context"
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/traintop/traintop/actions"
	"github.com/traintop/traintop/actions/audit"
	"github.com/traintop/traintop/store"
	"github.com/traintop/traintop/themes"
	"github.com/traintop/traintop/train"
)

// Host is what tasks need from the program around them.
type Host struct {
	// Ctx ends with the program.
	Ctx context.Context //nolint:containedctx // tasks outlast the call that starts them
	// Audit records changes before they are sent; nil keeps no record.
	Audit *audit.Log
	// Environment is a variable of the process, "" where it is not set.
	Environment func(name string) string
	// Session is the current session.
	Session func() Session
	// Notify shows one line for some seconds, as an error where failed.
	Notify func(text string, failed bool) tea.Cmd
	// Open shows a dialog over the screen, in place of an open one.
	Open func(*Dialog)
	// ShowText opens a screen with a text.
	ShowText func(title, text string) tea.Cmd
	// Shown is the dialog over the screen, nil for none.
	Shown func() *Dialog
	// Lend gives the terminal to a command until the command ends.
	Lend func(tea.ExecCommand, tea.ExecCallback) tea.Cmd
	// Background counts the work that the end of the program waits for.
	Background *Background
}

// Session is the cluster that tasks act in, at the time of the call.
type Session struct {
	Snapshot *store.Snapshot
	// Actor is nil where nothing can be changed.
	Actor actions.Actor
	// Context is the name of the cluster's context, for the audit log.
	Context  string
	ReadOnly bool
	Now      func() time.Time
	Glyphs   themes.Glyphs
}

// Message is a step of a task. The program passes it back by calling Arrive on
// its event loop.
type Message interface {
	Arrive() tea.Cmd
}

// OffLoop runs work off the event loop, and reports a panic in it.
func (h *Host) OffLoop(do func() tea.Msg) tea.Cmd {
	return func() (msg tea.Msg) {
		defer func() {
			if what := recover(); what != nil {
				msg = h.Notice(fmt.Sprintf("this is a bug of traintop: %v", what), true)
			}
		}()
		return do()
	}
}

// InBackground runs work that the end of the program waits for.
func (h *Host) InBackground(do func() tea.Msg) tea.Cmd {
	return h.OffLoop(func() tea.Msg {
		if !h.Background.enter() {
			return nil
		}
		defer h.Background.leave()
		return do()
	})
}

// Notice is a line to show, made off the event loop.
func (h *Host) Notice(text string, failed bool) Message { return notice{h, text, failed} }

type notice struct {
	host   *Host
	text   string
	failed bool
}

// Arrive shows the line.
func (n notice) Arrive() tea.Cmd { return n.host.Notify(n.text, n.failed) }

// beginRecord records that something is about to be done to an object; nil
// where no record is kept.
func (h *Host) beginRecord(verb string, on train.Ref, request string) (*audit.Record, error) {
	if h.Audit == nil {
		return nil, nil
	}
	return h.Audit.Begin(audit.Change{Context: h.Session().Context, Verb: verb, Object: on, Request: request})
}
