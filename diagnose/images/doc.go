// Package images holds the causes that keep an image from a node, or delay it.
package images
