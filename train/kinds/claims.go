package kinds

import (
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/traintop/traintop/train"
)

// claimFinder looks up resource claims (resource.k8s.io) of one namespace.
type claimFinder struct {
	find      func(kind schema.GroupKind, namespace, name string) (*unstructured.Unstructured, train.Presence)
	namespace string
}

func claimsOf(f *Family) claimFinder { return claimFinder{find: f.Find, namespace: f.Ref.Namespace} }

// addClaims counts the devices of a pod's claims. A claim created from a
// template is the pod's own; a named claim may be shared with others.
func (c claimFinder) addClaims(a *accelerators, claims []corev1.PodResourceClaim) {
	for _, claim := range claims {
		switch {
		case claim.ResourceClaimTemplateName != nil:
			devices, odd := c.template(*claim.ResourceClaimTemplateName)
			for _, entry := range devices {
				a.own.add(entry.resource, entry.n)
			}
			a.odd = append(a.odd, odd...)
		case claim.ResourceClaimName != nil:
			devices, odd := c.claim(*claim.ResourceClaimName)
			a.shared = append(a.shared, sharedClaim{*claim.ResourceClaimName, devices})
			a.odd = append(a.odd, odd...)
		}
	}
}

func (c claimFinder) template(name string) (tally, []oddQuantity) {
	found := c.lookUp(resourceClaimTemplateKind, name)
	if found == nil {
		return unseenClaim(name), nil
	}
	return requestedDevices(found.in("spec", "spec", "devices"), "ResourceClaimTemplate "+oneLine(name))
}

func (c claimFinder) claim(name string) (tally, []oddQuantity) {
	found := c.lookUp(resourceClaimKind, name)
	if found == nil {
		return unseenClaim(name), nil
	}
	wanted, odd := requestedDevices(found.in("spec", "devices"), "ResourceClaim "+oneLine(name))
	if allocated := len(found.in("status", "allocation", "devices").items("results")); allocated > wanted.total() && len(wanted) > 0 {
		wanted[0].n += allocated - wanted.total() // allocationMode All
		odd = nil                                 // what it got is known
	}
	return wanted, odd
}

func (c claimFinder) lookUp(kind schema.GroupKind, name string) fields {
	if c.find == nil {
		return nil
	}
	found, _ := c.find(kind, c.namespace, name)
	return fieldsOf(found)
}

// unseenClaim returns the devices of a claim that cannot be read: one device
// at least, unless its name shows that it is none.
func unseenClaim(name string) tally {
	if !acceleratorClass(name) {
		return nil
	}
	return tally{{resource: "", n: 1}}
}

// requestedDevices reads spec.devices.requests of v1 and v1beta2 ("exactly",
// or the first of "firstAvailable") and of v1beta1 (fields on the request). It
// returns apart the counts that are none; claim names the object.
func requestedDevices(devices fields, claim string) (wanted tally, odd []oddQuantity) {
	for _, request := range devices.items("requests") {
		name := request.text("name")
		if exact := request.in("exactly"); exact != nil {
			request = exact
		} else if choices := request.items("firstAvailable"); len(choices) > 0 {
			request = choices[0]
		}
		if class := request.text("deviceClassName"); acceleratorClass(class) {
			n, is := countOfDevices(request["count"])
			if !is {
				odd = append(odd, oddQuantity{field: strings.TrimSpace("request "+oneLine(name)) + " of " + claim, resource: "count", value: request["count"], one: true})
			}
			wanted.add(class, n)
		}
	}
	return wanted, odd
}

// countOfDevices reads the count of a request: a whole number from 1 on, which is 1
// where it is left out, or 0 as Go's encoding of it (resource.k8s.io/v1,
// DeviceRequest.Count). A value that is none counts as 1.
func countOfDevices(value any) (n int, is bool) {
	if value == nil {
		return 1, true
	}
	quantity, is := quantityOf(value)
	if is {
		n, is = DeviceCount(&quantity)
	}
	return max(1, n), is
}

// acceleratorClass distinguishes device classes from those of networks and
// NVLink domains. Administrators name classes freely, so only what is known to
// be something else is excluded.
func acceleratorClass(class string) bool {
	class = strings.ToLower(class)
	for _, other := range []string{"compute-domain", "rdma", "sriov", "dranet", "network", "nic.", "-nic", "infiniband", "dra.net", "dra.cpu", "dra.memory"} {
		if strings.Contains(class, other) {
			return false
		}
	}
	return true
}

// templateClaim reads an entry of spec.resourceClaims, also in the form of
// v1alpha3 and before, where the names are under "source".
func templateClaim(claim fields) corev1.PodResourceClaim {
	if source := claim.in("source"); source != nil {
		claim = source
	}
	var read corev1.PodResourceClaim
	if name := claim.text("resourceClaimTemplateName"); name != "" {
		read.ResourceClaimTemplateName = &name
	} else if name := claim.text("resourceClaimName"); name != "" {
		read.ResourceClaimName = &name
	}
	return read
}
