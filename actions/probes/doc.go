// Package probes is the catalogue of harmless checks that can be run in the
// ranks of a job: which command, how to read what it prints, and which rank's
// answer is the odd one. A probe is one file and one line of the list.
package probes
