package screentest

import "github.com/traintop/traintop/views"

// In is the effect of type T among the effects of a screen; the zero T where
// there is none.
func In[T views.Effect](asked views.Effect) T {
	if one, is := asked.(T); is {
		return one
	}
	all, _ := asked.(views.Effects)
	for _, one := range all {
		if one, is := one.(T); is {
			return one
		}
	}
	var none T
	return none
}

// RouteOf is the route of type R that an effect opens; is is false where
// another one opens, or none.
func RouteOf[R views.Route](asked views.Effect) (route R, is bool) {
	route, is = In[views.OpenScreen](asked).Route.(R)
	return route, is
}
