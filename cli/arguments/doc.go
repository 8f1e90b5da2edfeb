// Package arguments parses choices of ranks, a word of a command line that
// several commands take.
package arguments
