// Package actions has the words for what traintop does in a cluster beyond
// reading it: commands run in containers, ports forwarded, files copied,
// objects changed. It decides nothing and reaches nothing: packages below it
// say what can be done (changes, probes) and keep the record (audit),
// sources/kube carries it out, and ui asks, shows and follows it.
//
// Names, labels and messages of a cluster are never part of a shell command:
// a command is a list of arguments, and what a shell has to run is a constant
// that takes them as its positional parameters.
package actions
