package receivers

import (
	"context"

	"github.com/traintop/traintop/alerts"
)

// Service is one kind of receiver with its settings: the exported fields of the
// struct that implements it, named by their json tags.
type Service interface {
	// Check names the settings that cannot be used, without reading what they
	// refer to.
	Check() []Problem
	// send sends one notice once.
	send(ctx context.Context, s *sending, n alerts.Notice) error
}

// Problem is a setting that cannot be used, and why, with what is allowed.
type Problem struct{ Setting, Text string }

// Kind is one kind of receiver.
type Kind struct {
	// Type is its name in the configuration; Title is what people call it.
	Type, Title string
	// New makes a service without settings.
	New func() Service
	// Rates are how often it may be sent to, nil for no limit.
	Rates []Rate
	// Length states how long a message can be, Format where its format is
	// documented, and Example how it is configured, without its name.
	Length, Format, Example string
}

// Kinds lists all kinds of receivers, in the order of the documentation.
func Kinds() []Kind {
	return []Kind{
		slackKind, msteamsKind, discordKind, telegramKind, feishuKind, dingtalkKind, wecomKind,
		webhookKind, smtpKind, pagerdutyKind, ntfyKind, alertmanagerKind, commandKind, terminalKind,
	}
}

// Types are the names of all kinds.
func Types() []string {
	var types []string
	for _, kind := range Kinds() {
		types = append(types, kind.Type)
	}
	return types
}

// KindOf finds a kind by its type.
func KindOf(name string) (Kind, bool) {
	for _, kind := range Kinds() {
		if kind.Type == name {
			return kind, true
		}
	}
	return Kind{}, false
}
