// Package gpurows has GPUs as rows: the columns of tables, on screens and as
// commands print them, the cells of heat maps, and the word for what is wrong.
package gpurows
