package kinds

import "time"

// condition is one entry of status.conditions.
type condition struct {
	kind, reason, message string
	holds                 bool // status "True": the only one that counts
	at                    time.Time
}

// conditionOf finds the condition of a type. The order of the list means
// nothing: several operators print the last entry's type as the state, which
// is wrong for resumed jobs (kubeflow/trainer #3666).
func conditionOf(status fields, kind string) (condition, bool) {
	list, _ := status["conditions"].([]any)
	for _, entry := range list {
		c := asFields(entry)
		if c.text("type") != kind {
			continue
		}
		at := c.when("lastTransitionTime")
		if at.IsZero() {
			at = c.when("lastUpdateTime")
		}
		return condition{kind: kind, reason: c.text("reason"), message: c.text("message"), holds: c.text("status") == "True", at: at}, true
	}
	return condition{}, false
}

// holding finds the first of the types whose status is "True".
func holding(status fields, kinds ...string) (condition, bool) {
	for _, kind := range kinds {
		if c, found := conditionOf(status, kind); found && c.holds {
			return c, true
		}
	}
	return condition{}, false
}
