package probes

// All returns traintop's own probes, in the order in which a person checks a hung or
// failing job.
func All() []Probe {
	return []Probe{
		cudaVisible(),
		rankEnvironment(),
		dnsMaster(),
		portMaster(),
		sharedMemory(),
		diskSpace(),
		resourceLimits(),
		infinibandPorts(),
		gpuProcesses(),
		pythonStack(),
		ncclVersion(),
		clockSkew(),
		writeTest(),
	}
}

// Find returns the probe with an ID.
func Find(list []Probe, id string) (Probe, bool) {
	for _, p := range list {
		if p.ID == id {
			return p, true
		}
	}
	return Probe{}, false
}
