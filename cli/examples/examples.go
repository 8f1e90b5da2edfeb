// Package examples are the command lines that --help shows.
package examples

import (
	"strings"

	"github.com/spf13/cobra"
)

// examples are those of --help, by the name of the command.
var examples = map[string][]string{
	"traintop": {
		"traintop                                  # the context in use, all namespaces that may be read",
		"traintop -n ml --context prod",
		"traintop --from dump.yaml                 # what kubectl printed, a log, a folder, a recording",
		"traintop --from night.rec --at 03:12",
		"traintop demo                             # no cluster needed",
	},
	"jobs": {
		"traintop jobs -A",
		"traintop jobs -n ml -o wide",
		"traintop jobs -o json | jq -r '.jobs[] | select(.phase == \"Failed\").name'",
	},
	"diagnose": {
		"traintop diagnose -A                      # all jobs that are stuck, failed or slow",
		"traintop diagnose bert",
		"traintop diagnose --from 3=rank3.log --from 0=rank0.log",
		"kubectl describe pod bert-0 | traintop diagnose --from -",
	},
	"curves": {
		"traintop curves bert",
		"traintop curves bert --metric loss,lr -o csv > bert.csv",
		"traintop curves --from train.log",
	},
	"compare": {
		"traintop compare bert-a bert-b",
		"traintop compare bert-a bert-b -o md",
	},
	"gpus": {
		"traintop gpus",
		"traintop gpus -o json",
		"traintop gpus --from gpu-0.prom           # an exporter's page, or what nvidia-smi printed",
	},
	"logs": {
		"traintop logs bert -f",
		"traintop logs bert --ranks 0,3-5 --since 10m",
		"traintop logs bert --grep 'loss|ERROR' -C 2 --tail 20",
	},
	"record": {
		"traintop record -o night.rec --for 8h",
		"traintop record --from night.rec --job bert -o bert.rec",
	},
	"wait": {
		"kubectl apply -f bert.yaml && traintop wait bert --for first-step --no-progress 15m --timeout 2h",
		"traintop wait bert                        # until it is done; says why when it fails",
		"traintop wait bert --for 'loss<2.5,failed' -o json",
		"traintop wait -l sweep=lr --for running --all --timeout 30m",
		"traintop wait bert --for finding=nccl-timeout,ended",
	},
	"watch": {
		"traintop watch                            # print what happens to the jobs of this namespace",
		"traintop watch -A --notify team           # send incidents to a receiver of the configuration",
		"traintop watch -A --notify all --dry-run",
		"traintop watch -A --metrics :9464         # serve Prometheus",
	},
	"notify":     {"traintop notify test team", "traintop notify list"},
	"test":       {"traintop notify test team"},
	"list":       {"traintop notify list"},
	"config":     {"traintop config check", "traintop config path"},
	"check":      {"traintop config check", "traintop config check team.yaml -o json"},
	"path":       {"$EDITOR \"$(traintop config path)\""},
	"demo":       {"traintop demo"},
	"version":    {"traintop version -o json"},
	"help":       {"traintop help diagnose", "traintop help config check"},
	"completion": {"source <(traintop completion bash)", "traintop completion zsh > \"${fpath[1]}/_traintop\""},
}

// Add gives a command and those below it their examples.
func Add(cmd *cobra.Command) {
	if lines := examples[cmd.Name()]; len(lines) > 0 {
		cmd.Example = "  " + strings.Join(lines, "\n  ")
	}
	for _, below := range cmd.Commands() {
		Add(below)
	}
}
