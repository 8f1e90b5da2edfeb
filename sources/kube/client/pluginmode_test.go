package client

import (
	"os"
	"testing"
)

// The mode of what is no terminal is neither kept nor set, and ends in any order.
func TestModeOfNoTerminal(t *testing.T) {
	in := os.Stdin
	defer func() { os.Stdin = in }()
	none, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	defer none.Close()
	os.Stdin = none
	var m modeKeeper
	one, two := m.save(), m.save()
	one()
	one()
	m.end()
	two()
	if m.users != 0 || m.saved != nil {
		t.Errorf("%+v", &m)
	}
}
