package keymap

// Actions of the YAML and the description of one object.
const (
	ManagedFields Action = "manifest.managed-fields"
	Refresh       Action = "manifest.refresh"
	DescribedYAML Action = "describe.yaml"
)

// objectKeys are the keys of the YAML, the description and the users of one object.
var objectKeys = []Binding{
	{Manifest, keys("m"), ManagedFields, "managed fields", "show or hide metadata.managedFields", groupScreen, true},
	{Manifest, keys("r"), Refresh, "refresh", "read the object again every few seconds, or no more", groupScreen, false},

	{Description, keys("y"), DescribedYAML, "YAML", "YAML of the object", groupScreen, true},

	{UsedBy, keys("enter"), Open, "open", "the job of the pod, or the description of what belongs to none", groupScreen, true},
}
