package volumes

import "github.com/traintop/traintop/diagnose/rule"

// Claims are the causes that keep a pod from a node because of its claims, in
// order of precedence. To add one, write a file for it and a line here.
var Claims = []*rule.Cause{
	&pvcNotFound,
	&pvcLost,
	&storageClassMissing,
	&pvcWrongAccessMode,
	&provisioningFailed,
	&unboundPVC,
	&volumeNodeAffinityConflict,
}

// Mounts are the causes that keep a pod on its node from its volumes, in order
// of precedence. To add one, write a file for it and a line here.
var Mounts = []*rule.Cause{
	&configMapNotFound,
	&secretNotFound,
	&configMapKeyMissing,
	&secretKeyMissing,
	&hostPathMissing,
	&mountHelperMissing,
	&csiDriverMissing,
	&multiAttach,
	&failedMountTimeout,
}
