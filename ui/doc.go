// Package ui is the shell around the screens: layout, breadcrumbs, prompt,
// help, notices, routing, and the wait for the store.
//
//	store.Changed ──► watcher ──(one frame later)──► snapshot ──► Update ──► Render
//
// The watcher is the only goroutine beside the terminal library's own. A
// burst of events is one message, so one redraw. Otherwise only keys wake the
// program and, while an age on the screen shows seconds, the clock.
package ui
