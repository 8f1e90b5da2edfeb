// Package tables reads any resource of an API server as the table that the server makes
// of it (meta.k8s.io/v1 Table): which resources there are (Discover), and their objects
// while somebody looks at them (Follow). It keeps nothing: a table ends with its context.
package tables
