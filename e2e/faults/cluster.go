package faults

// recordedCluster is all that the server answers from.
func recordedCluster() (*cluster, error) {
	all, err := recordedObjects()
	if err != nil {
		return nil, err
	}
	logs, err := recordedLogs()
	if err != nil {
		return nil, err
	}
	exports, err := recordedExport()
	return &cluster{all, logs, exports}, err
}
