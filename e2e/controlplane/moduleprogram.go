package controlplane

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// ErrUnavailable means that a program could not be built now: its module or one
// that it needs was not to be had, or the time was over. Another try may do it.
var ErrUnavailable = errors.New("it cannot be built here now")

// ModuleProgram is a program of a published module.
type ModuleProgram struct {
	// Name is the program's; Version is the module's, with its v.
	Name, Module, Version string
	// Package is the program's folder in the module, "" for its root.
	Package string
	// Keeps are patterns of files of the module that are kept beside the program.
	Keeps []string
	// Edits move what is fixed in the source and cannot be shared by two programs
	// on one machine.
	Edits []Edit
}

// Edit replaces a text that occurs once in a file of a module.
type Edit struct{ File, Old, New string }

// BuiltProgram is a program in the user's cache folder.
type BuiltProgram struct {
	// Path is the program.
	Path string
	// Files is the folder that holds what was kept, under its path in the module.
	Files string
}

// Build makes sure that the program exists. The first call on a machine compiles
// it, which takes minutes; the cache folder knows a program by its version and by
// all that this value contains about it. An error is ErrUnavailable where the
// program itself is not to blame.
func (p ModuleProgram) Build(ctx context.Context, progress func(string)) (BuiltProgram, error) {
	recipe := fnv.New32a()
	fmt.Fprintf(recipe, "%q", p)
	program, err := builtOnce(ctx, p.Name, fmt.Sprintf("%s-%08x", strings.TrimPrefix(p.Version, "v"), recipe.Sum32()), progress, p.compile)
	if err != nil && ctx.Err() != nil && !errors.Is(err, ErrUnavailable) {
		err = fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	return BuiltProgram{Path: program, Files: keptBeside(program)}, err
}

func keptBeside(program string) string { return filepath.Join(filepath.Dir(program), "files") }

func (p ModuleProgram) compile(ctx context.Context, program string) error {
	scratch, err := os.MkdirTemp("", "traintop-e2e-"+p.Name+"-")
	if err != nil {
		return fmt.Errorf("make a scratch folder: %w", err)
	}
	defer func() { _ = os.RemoveAll(scratch) }()
	m, err := downloadModule(ctx, scratch, p.Module, p.Version)
	if err != nil {
		return fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	if _, err := os.Stat(filepath.Join(m.Dir, p.Package)); err != nil {
		return fmt.Errorf("find the source of %s %s: %w", p.Name, p.Version, err)
	}
	if err := m.keepFiles(p.Keeps, keptBeside(program)); err != nil {
		return err
	}
	if err := m.edit(ctx, scratch, p.Edits); err != nil {
		return err
	}
	pkg := strings.TrimSuffix(p.Module+"/"+p.Package, "/")
	// This fetches the modules that it needs; what fails later is the source.
	if _, err := m.goCommand(ctx, "list", "-mod=mod", "-deps", "-f", "{{if .Error}}{{.ImportPath}}{{end}}", pkg); err != nil {
		return fmt.Errorf("%w: fetch what %s %s needs: %w", ErrUnavailable, p.Name, p.Version, err)
	}
	return m.buildProgram(ctx, pkg, program, "")
}

// keepFiles copies files of the module to a folder, under their paths.
func (m module) keepFiles(patterns []string, folder string) error {
	source := os.DirFS(m.Dir)
	for _, pattern := range patterns {
		files, err := fs.Glob(source, pattern)
		if err != nil || len(files) == 0 {
			return errors.Join(fmt.Errorf("%s %s has no %s: have they moved?", m.Path, m.Version, pattern), err)
		}
		for _, file := range files {
			text, err := fs.ReadFile(source, file)
			if err != nil {
				return fmt.Errorf("read %s of %s: %w", file, m.Path, err)
			}
			to := filepath.Join(folder, filepath.FromSlash(file))
			if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
				return fmt.Errorf("keep %s of %s: %w", file, m.Path, err)
			}
			if err := writeAtomically(to, text); err != nil {
				return err
			}
		}
	}
	return nil
}

// edit builds the module from an edited copy of its source in scratch from now on.
// The folder of downloaded modules takes no `go build -overlay`.
func (m module) edit(ctx context.Context, scratch string, edits []Edit) error {
	if len(edits) == 0 {
		return nil
	}
	source := filepath.Join(scratch, "source")
	if err := os.CopyFS(source, os.DirFS(m.Dir)); err != nil {
		return fmt.Errorf("copy the source of %s: %w", m.Path, err)
	}
	for _, edit := range edits {
		path := filepath.Join(source, filepath.FromSlash(edit.File))
		text, err := os.ReadFile(path)
		if err != nil {
			return fmt.Errorf("edit %s of %s: %w", edit.File, m.Path, err)
		}
		if n := strings.Count(string(text), edit.Old); n != 1 {
			return fmt.Errorf("edit %s of %s %s: %q stands there %d times, wants once", edit.File, m.Path, m.Version, edit.Old, n)
		}
		if err := writeAtomically(path, []byte(strings.Replace(string(text), edit.Old, edit.New, 1))); err != nil {
			return err
		}
	}
	if _, err := m.goCommand(ctx, "mod", "edit", "-replace="+m.Path+"="+source); err != nil {
		return fmt.Errorf("build %s from its edited source: %w", m.Path, err)
	}
	return nil
}
