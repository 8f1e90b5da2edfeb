// Package probes is the catalogue of harmless checks that can run in the ranks of a job:
// the command, how to read its output, and which rank's answer differs. A probe is one
// file and one line of the list.
package probes
