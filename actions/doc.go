// Package actions defines what traintop does in a cluster besides reading it: commands
// run in containers, ports forwarded, files copied, objects changed. It contains types
// and interfaces, no decisions and no connections: packages below it plan (changes,
// probes) and record (audit), sources/kube executes, and ui asks, shows and follows.
//
// Names, labels and messages of a cluster are never part of a shell command: a command
// is a list of arguments, and a shell only runs constants that take them as positional
// parameters.
package actions
