package images

import "github.com/traintop/traintop/diagnose/rule"

// Causes are the causes that keep an image from its node, in order of precedence. A new one is a
// file of its own and a line here.
var Causes = []*rule.Cause{
	&invalidImageName,
	&imageNeverPull,
	&imageNotFound,
	&imagePullUnauthorized,
	&imagePullRateLimited,
	&imageDiskFull,
	&imageRegistryUnreachable,
	&imageArchMismatch,
	&slowImagePull,
}
