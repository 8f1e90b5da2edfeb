package screentest

import "github.com/traintop/traintop/views"

// In is the effect of type T that a screen asked for, alone or among several;
// the zero T where there is none.
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
