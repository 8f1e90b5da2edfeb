// Package jobrows has jobs as rows: the columns of tables, on screens and as
// commands print them, and the one sentence that says why a job is as it is.
package jobrows
