// Package arguments parses words of a command line that several commands take:
// names of jobs and choices of ranks.
package arguments
