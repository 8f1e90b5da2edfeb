// Package jobrows has jobs as rows: the columns of tables, on screens and as
// commands print them, and the one sentence that explains a job's state.
package jobrows
