package actions

import (
	"path"
	"regexp"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// keptName matches the usual names of arguments, variables and mounts with a trainer's
// output that is worth copying: --output_dir (transformers), --save (Megatron-LM),
// checkpoint.dir (Hydra), TORCH_FR_DUMP_TEMP_FILE and TORCH_NCCL_DEBUG_INFO_TEMP_FILE
// (PyTorch's flight recorder), --logdir (TensorBoard), a volume "checkpoints".
var keptName = regexp.MustCompile(`(?i)(checkpoint|ckpt|(^|[-_.])save($|[-_.])|out(put)?[-_]?(dir|path)|log[-_]?dir|trace|profil|dump|debug_info_temp_file|artifact|results?)`)

// flightRecorder is the default path of PyTorch 2.x for the trace of a collective that
// hung; the number of the rank follows it (ProcessGroupNCCL.cpp,
// TORCH_NCCL_DEBUG_INFO_TEMP_FILE).
const flightRecorder = "/tmp/nccl_trace_rank_"

// mostPaths bounds how many paths are offered.
const mostPaths = 12

// Paths returns the paths in a container that are worth copying, according to its
// arguments, variables and mounts; and, with the number of a rank, that of its flight
// recorder.
func Paths(pod *corev1.Pod, container, rank string) []string {
	if pod == nil {
		return nil
	}
	var found []string
	add := func(p string) {
		if p = path.Clean(p); strings.HasPrefix(p, "/") && p != "/" && !strings.ContainsAny(p, "$*{}\n") && !slices.Contains(found, p) {
			found = append(found, p)
		}
	}
	for i := range pod.Spec.Containers {
		c := &pod.Spec.Containers[i]
		if container != "" && c.Name != container {
			continue
		}
		pathsOfWords(append(slices.Clone(c.Command), c.Args...), add)
		for _, e := range c.Env {
			if keptName.MatchString(e.Name) && e.Value != "" {
				add(e.Value)
			}
		}
		for _, m := range c.VolumeMounts {
			if keptName.MatchString(m.Name) || keptName.MatchString(m.MountPath) {
				add(m.MountPath)
			}
		}
		if container == "" {
			break
		}
	}
	if rank != "" {
		add(flightRecorder + rank)
	}
	return found[:min(len(found), mostPaths)]
}

// pathsOfWords finds `--save /x`, `--save=/x` and `save=/x`, also in a script that is an
// argument of a shell.
func pathsOfWords(arguments []string, add func(string)) {
	var words []string
	for _, argument := range arguments {
		words = append(words, strings.Fields(argument)...)
	}
	for i, word := range words {
		name, value, joined := strings.Cut(word, "=")
		if !joined && strings.HasPrefix(name, "-") && i+1 < len(words) {
			value = words[i+1]
		}
		if value = strings.Trim(value, `"';`); strings.HasPrefix(value, "/") && keptName.MatchString(strings.TrimLeft(name, "-+")) {
			add(value)
		}
	}
}
