package main

import (
	_ "charm.land/bubbles/v2/textinput"
	_ "charm.land/bubbletea/v2"
	_ "charm.land/lipgloss/v2"
	_ "github.com/adrg/xdg"
	_ "github.com/charmbracelet/x/ansi"
	_ "github.com/charmbracelet/x/exp/golden"
	_ "github.com/charmbracelet/x/exp/teatest/v2"
	_ "github.com/charmbracelet/x/vt"
	_ "github.com/google/go-cmp/cmp"
	_ "github.com/sahilm/fuzzy"
	_ "github.com/spf13/cobra"
	_ "github.com/tidwall/btree"
	_ "go.uber.org/goleak"
	_ "k8s.io/api/core/v1"
	_ "k8s.io/cli-runtime/pkg/genericclioptions"
	_ "k8s.io/client-go/dynamic"
	_ "k8s.io/client-go/kubernetes"
	_ "k8s.io/client-go/metadata"
	_ "k8s.io/client-go/tools/cache"
	_ "k8s.io/klog/v2"
	_ "sigs.k8s.io/yaml"
	_ "sigs.k8s.io/yaml/goyaml.v3"
	_ "golang.org/x/term"
	_ "github.com/charmbracelet/colorprofile"
)

func main() {}
