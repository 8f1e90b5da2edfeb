package images

import "github.com/traintop/traintop/diagnose/rule"

// Causes are the causes that keep an image from its node, in order of
// precedence. To add one, write a file for it and a line here.
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
