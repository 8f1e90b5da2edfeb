// Package mergedlogs merges the lines of many logs by time, through a filter,
// for `traintop logs`.
package mergedlogs
