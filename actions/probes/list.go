package probes

// All are the probes that come with traintop, in the order in which a hung or
// failing job is looked at.
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

// Find is the probe of an ID in a list.
func Find(list []Probe, id string) (Probe, bool) {
	for _, p := range list {
		if p.ID == id {
			return p, true
		}
	}
	return Probe{}, false
}
