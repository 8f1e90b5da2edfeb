package formats

// format is one program's way of printing progress.
type format struct {
	name string
	// read claims a line that needs more than the general reader, nil when
	// the general reader is enough.
	read func(*Parser, *line) bool
}

// list holds the formats in the order in which they are tried, before the
// general reader. A format that reads its line as a whole, prefix and all,
// comes before those that read what is left of it.
func list() []format {
	return []format{
		{"catboost", (*Parser).readCatBoost},
		{"darknet", (*Parser).readDarknet},
		{"mlperf", (*Parser).readMLPerf},
		{"dllogger", (*Parser).readDLLogger},
		{"wenet", (*Parser).readWeNet},
		{"ultralytics", (*Parser).readUltralytics},
		{"bar", (*Parser).readBarLine},
		{"json block", (*Parser).readBlock},
		{"box", (*Parser).readBox},
		{"table", (*Parser).readTable},
	}
}
