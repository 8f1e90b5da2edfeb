// Package images holds the causes that keep an image from a node, or make it
// come slowly.
package images
