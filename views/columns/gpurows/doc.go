// Package gpurows has GPUs as rows: the columns of tables, on screens and as
// commands print them, the cells of heat maps, and the names of faults.
package gpurows
