package smi

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/traintop/traintop/actions"
	"github.com/traintop/traintop/termtext"
)

// Process is a program that uses a GPU. Its PID is that of the machine, not of the
// container.
type Process struct {
	GPU  string // UUID
	PID  int
	Name string // safe to print
	// MemoryMiB is the memory that it uses, -1 if unknown.
	MemoryMiB float64
}

// ReadProcesses parses nvidia-smi --query-compute-apps in CSV with a heading. It finds
// columns by name, since they differ between versions.
func ReadProcesses(a actions.Answer) (found []Process, trouble string) {
	if why := failed(a); why != "" {
		return nil, why
	}
	var columns []string
	for line := range strings.Lines(string(a.Stdout)) {
		row := strings.Split(strings.TrimRight(line, "\r\n"), ", ")
		switch {
		case columns == nil && strings.Contains(line, "pid"):
			columns = row
		case columns == nil || strings.TrimSpace(line) == "":
		case len(row) < len(columns):
			trouble = fmt.Sprintf("a line that is no process: %s", clean(line))
		default:
			found = append(found, process(columns, joined(row, columns)))
		}
		if len(found) == maxProcesses {
			return found, "only the first processes are listed"
		}
	}
	if columns == nil {
		return nil, "no list of processes" + quoted(a.Stdout)
	}
	return found, trouble
}

// maxProcesses bounds a list; a machine has some dozens.
const maxProcesses = 4096

// joined restores a program's name that contains the separator.
func joined(row, columns []string) []string {
	extra := len(row) - len(columns)
	for i, column := range columns {
		if extra > 0 && column == "process_name" {
			name := strings.Join(row[i:i+extra+1], ", ")
			return append(append(append([]string{}, row[:i]...), name), row[i+extra+1:]...)
		}
	}
	return row
}

func process(columns, row []string) Process {
	p := Process{MemoryMiB: -1}
	for i, column := range columns {
		value := strings.TrimSpace(row[i])
		switch name, _, _ := strings.Cut(column, " "); name {
		case "gpu_uuid", "uuid":
			p.GPU = clean(value)
		case "pid":
			p.PID, _ = strconv.Atoi(value)
		case "process_name", "name":
			p.Name = clean(value)
		case "used_memory", "used_gpu_memory":
			if mib, err := strconv.ParseFloat(strings.TrimSuffix(value, " MiB"), 64); err == nil && mib >= 0 {
				p.MemoryMiB = mib
			}
		}
	}
	return p
}

// clean makes a text safe for a terminal, and cuts it.
func clean(text string) string {
	const most = 256
	return termtext.Line(strings.TrimSpace(text[:min(len(text), most)]))
}
