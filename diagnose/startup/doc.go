// Package startup holds the causes that keep a container from starting once
// its image is pulled: runtime classes, sandboxes, devices, commands and
// rights.
package startup
