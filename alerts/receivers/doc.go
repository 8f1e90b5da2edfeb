// Package receivers sends notices to people and programs: chats, mail, pagers,
// Alertmanager, commands and the terminal.
//
//	notice ─► Sender (queue, rate, retries) ─► receiver ─► Service ─► HTTP, SMTP, a program, a terminal
//
// A Service is one kind of receiver with its settings; kinds.go lists all kinds.
// Each receiver has a Sender of its own, so that a dead one blocks nobody.
//
// Promises: each request has a deadline; no error names a secret or the path of
// a URL; text from a cluster has no effect as markup or as a mention; a message
// is as long as its service allows, with what matters most left in.
package receivers
