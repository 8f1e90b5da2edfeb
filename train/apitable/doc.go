// Package apitable has the nouns for reading any resource of an API server: which
// resources it serves, and their objects as the tables that the server itself makes
// (meta.k8s.io/v1 Table). The source reads them, the shell routes to them, a screen draws
// them.
package apitable
