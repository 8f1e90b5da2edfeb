package faults

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"path"
	"strconv"

	"github.com/traintop/traintop/testdata"
)

// recordedLogs are the logs of the namespace by pod, as a kubelet prints them
// with timestamps.
func recordedLogs() (map[string][]byte, error) {
	folder := "logs/" + Namespace
	entries, err := fs.ReadDir(testdata.Demo, folder)
	if err != nil {
		return nil, fmt.Errorf("read the recorded logs: %w", err)
	}
	all := map[string][]byte{}
	for _, entry := range entries {
		text, err := unpacked(path.Join(folder, entry.Name()))
		if err != nil {
			return nil, err
		}
		pod := entry.Name()[:len(entry.Name())-len(".log.gz")]
		for line := range bytes.Lines(text) {
			all[pod] = append(all[pod], withoutFrame(line)...)
		}
	}
	return all, nil
}

// withoutFrame strips stream and tag from a line of a container runtime.
func withoutFrame(line []byte) []byte {
	part := bytes.SplitN(line, []byte(" "), 4)
	if len(part) < 4 {
		return line
	}
	return bytes.Join([][]byte{part[0], part[3]}, []byte(" "))
}

func unpacked(name string) ([]byte, error) {
	file, err := testdata.Demo.Open(name)
	if err != nil {
		return nil, fmt.Errorf("read %s of the recorded cluster: %w", name, err)
	}
	defer func() { _ = file.Close() }() // read only
	unpack, err := gzip.NewReader(file)
	if err != nil {
		return nil, fmt.Errorf("unpack %s of the recorded cluster: %w", name, err)
	}
	return io.ReadAll(unpack)
}

// log answers as the kubelet behind the API server does.
func (c *cluster) log(w http.ResponseWriter, r *http.Request, t target) {
	text, exists := c.logs[t.name]
	if !exists || r.URL.Query().Get("previous") == "true" {
		refuse(w, http.StatusBadRequest, "BadRequest", fmt.Sprintf("previous terminated container %q in pod %q not found", r.URL.Query().Get("container"), t.name))
		return
	}
	w.Header().Set("Content-Type", "text/plain")
	_, _ = w.Write(tail(text, r.URL.Query().Get("tailLines"))) // the client may have left
	if r.URL.Query().Get("follow") == "true" {
		flush(w)
		<-r.Context().Done()
	}
}

func tail(text []byte, lines string) []byte {
	n, err := strconv.Atoi(lines)
	if err != nil {
		return text
	}
	at := len(text)
	for ; n >= 0 && at > 0; n-- {
		at = bytes.LastIndexByte(text[:at], '\n')
	}
	return text[at+1:]
}
