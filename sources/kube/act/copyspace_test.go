//go:build !windows

package act

import (
	"archive/tar"
	"errors"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"github.com/traintop/traintop/actions"
)

// A file larger than the disk is refused before any of it is written.
func TestAFileLargerThanTheDiskIsRefused(t *testing.T) {
	if _, _, known := diskSpace(t.TempDir()); !known {
		t.Skip("this system does not tell what is free")
	}
	b, here, _ := newBox(t)
	b.play = map[string]func(actions.Exec) error{
		"test": func(actions.Exec) error { return nil },
		"tar": func(e actions.Exec) error {
			to := tar.NewWriter(e.Stdout)
			if err := to.WriteHeader(&tar.Header{Name: "./huge", Typeflag: tar.TypeReg, Size: 1 << 60, Mode: 0o644}); err != nil {
				return err
			}
			_, err := io.CopyN(to, zeros{}, 64<<20)
			return err
		},
	}
	write(t, here+"/run/old", "old")
	done, err := Copy(t.Context(), b, actions.Transfer{Remote: "/run", Local: here, Overwrite: true})
	var failed *actions.Failure
	if !errors.As(err, &failed) || !strings.Contains(failed.Text, "no space left here: run/huge does not fit: 1 EiB of it is to come") || done.Bytes != 0 {
		t.Errorf("%+v, %v", done, err)
	}
	if left := tree(t, here); len(left) != 1 {
		t.Errorf("left here: %v", left)
	}
}

// zeros is an endless reader.
type zeros struct{}

// Read implements io.Reader.
func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

// A file of unknown size is copied while there is space.
func TestRoomForAFile(t *testing.T) {
	for _, c := range []struct {
		rest, room int64
		refused    string
	}{
		{rest: 10, room: 10},
		{rest: 0, room: 0},
		{rest: 11 << 20, room: 10 << 20, refused: "11 MiB of it is to come, and there is room for 10 MiB"},
	} {
		err := spaceError("a", c.rest, c.room)
		if (err == nil) != (c.refused == "") || err != nil && (!strings.Contains(err.Error(), c.refused) || !errors.Is(err, syscall.ENOSPC)) {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

// A sparse archive of some kilobytes stays a sparse file, in both formats of
// GNU tar.
func TestASparseFileStaysSparse(t *testing.T) {
	const size = 64 << 20
	for _, format := range []string{"gnu", "posix"} {
		t.Run(format, func(t *testing.T) {
			b, here, there := newBox(t)
			write(t, there+"/run/holes", strings.Repeat("begins", 1000))
			if err := os.Truncate(there+"/run/holes", size); err != nil {
				t.Fatal(err)
			}
			packed, err := exec.Command("tar", "-S", "--format="+format, "-c", "-f", "-", "-C", there+"/run", ".").Output()
			if err != nil || len(packed) > 1<<20 {
				t.Skipf("this machine's tar writes no sparse archive: %v, %d bytes", err, len(packed))
			}
			b.play = map[string]func(actions.Exec) error{"tar": func(e actions.Exec) error { _, err := e.Stdout.Write(packed); return err }}
			done, err := Copy(t.Context(), b, actions.Transfer{Remote: there + "/run", Local: here})
			if err != nil || done.Files != 1 || done.Verified != "sha256" {
				t.Fatalf("%+v, %v", done, err)
			}
			var disk syscall.Stat_t
			if err := syscall.Stat(here+"/run/holes", &disk); err != nil || disk.Size != size || disk.Blocks*512 > 1<<20 {
				t.Errorf("%v: it has %d bytes, of which %d are on the disk", err, disk.Size, disk.Blocks*512)
			}
		})
	}
}
