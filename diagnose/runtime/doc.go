// Package runtime holds the causes that end, stop or slow running ranks. Most
// are recognised by lines of logs (the tables in collectives.go, memory.go,
// devices.go, programs.go, numbers.go and speed.go), the others by how
// containers end and by what logs and GPUs show over time.
package runtime
