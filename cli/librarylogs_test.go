package cli

import (
	"bufio"
	"bytes"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"sync"
	"testing"
	"time"
)

// locked is a buffer that a library writes to from a goroutine of its own.
type locked struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *locked) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *locked) Len() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Len()
}

// TestLibrariesWriteNothing: net/http logs an answer that nobody requested,
// unless a command silenced its logger.
func TestLibrariesWriteNothing(t *testing.T) {
	defer log.SetOutput(os.Stderr)
	heard := &locked{}
	log.SetOutput(heard)
	askServerThatSaysMore(t, func() bool { return heard.Len() > 0 })
	if heard.Len() == 0 {
		t.Fatal("net/http says nothing of an unsolicited answer any more")
	}
	command(t, "", "version")
	if log.Writer() != io.Discard {
		t.Errorf("the standard logger writes to %T", log.Writer())
	}
}

// askServerThatSaysMore answers a request twice, and waits for the consequence.
func askServerThatSaysMore(t *testing.T, until func() bool) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	go func() {
		conn, err := listener.Accept()
		if err != nil {
			return
		}
		_, _ = http.ReadRequest(bufio.NewReader(conn))
		const answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
		io.WriteString(conn, answer)
		time.Sleep(10 * time.Millisecond)
		io.WriteString(conn, answer)
	}()
	client := http.Client{Transport: &http.Transport{}}
	response, err := client.Get("http://" + listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	io.Copy(io.Discard, response.Body)
	response.Body.Close()
	for deadline := time.Now().Add(10 * time.Second); !until() && time.Now().Before(deadline); {
		time.Sleep(time.Millisecond)
	}
}
