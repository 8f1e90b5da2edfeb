// Package jobname reads the names of jobs that people type, on a command line and
// at the prompt of the screen.
package jobname
