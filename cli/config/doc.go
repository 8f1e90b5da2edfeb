// Package config reads the configuration file: one file for each part of it,
// with presets, checks and the rows of docs/configuration.md.
package config
