package ui

// Windows has neither job control nor signals that end a program: its console
// restores itself.

func (s *terminalSignals) listen() {}
func (s *terminalSignals) deafen() {}

func (s *terminalSignals) aside(_ bool, run func() error) error {
	s.lent.Store(true)
	defer s.lent.Store(false)
	return run()
}
