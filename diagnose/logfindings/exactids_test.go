package logfindings_test

import (
	"strings"
	"testing"

	"github.com/traintop/traintop/train"
)

// minExact is the least share of texts whose first cause is the exact one, where a
// more general one would be accepted too.
const minExact = 0.92

// TestExactCauses checks how often the most precise cause comes first: a row that wins
// with a general cause over a precise one costs more than it mends.
func TestExactCauses(t *testing.T) {
	failures, exact := 0, 0
	for _, text := range labelledTexts(t, publicTexts...) {
		name, want := text.fields[0], text.fields[1]
		if want == "none" {
			continue
		}
		failures++
		found := diagnosedBlock(text.text)
		if len(found) > 0 && string(found[0].Cause) == want {
			exact++
		} else if len(found) > 0 {
			t.Logf("%s: %s, exact is %s", name, found[0].Cause, want)
		}
	}
	if share := float64(exact) / float64(failures); share < minExact {
		t.Errorf("%d of %d causes are exact, %.3f, want %.2f or more", exact, failures, share, minExact)
	}
}

// A version that an index does not have is no download that fails: pip names those it found
// there. Hydra's own line of what it did not find is the one that counts.
func TestPackagesAndSettingsThatDoNotExist(t *testing.T) {
	for text, want := range map[string][2]string{
		// github.com/memgraph/mage/issues/489
		"ERROR: Could not find a version that satisfies the requirement torch==1.12.0 (from versions: 1.13.0, 1.13.1, 2.0.0, 2.0.1)\nERROR: No matching distribution found for torch==1.12.0\n": {"python-import-error", "no such version"},
		// github.com/abhyantrika/nanonets_object_tracking/issues/11
		"  ERROR: Could not find a version that satisfies the requirement torch==1.0.1.post2 (from -r requirements.txt (line 6)) (from versions: 0.1.2, 0.1.2.post1, 0.1.2.post2)\nERROR: No matching distribution found for torch==1.0.1.post2 (from -r requirements.txt (line 6))\n": {"python-import-error", "no such version"},
		// github.com/milksense/venus/issues/8
		"ERROR: Could not find a version that satisfies the requirement torch (from versions: none)\nERROR: No matching distribution found for torch\n": {"dataset-download-failure", ""},
		"ERROR: No matching distribution found for torch\n": {"python-import-error", ""},
		// github.com/szymanowiczs/splatter-image/issues/3
		"In 'default_config': Could not find 'hydra/defaults'\n\nAvailable options in 'hydra':\n        config\nConfig search path:\n        provider=hydra, path=pkg://hydra.conf\n\nSet the environment variable HYDRA_FULL_ERROR=1 for a complete stack trace.\n": {"python-exception", "Could not find 'hydra/defaults'"},
		"In 'config': Could not find 'model/llama9'\n\nConfig search path:\n\tprovider=hydra, path=pkg://hydra.conf\n":                                                                                                                                               {"python-exception", "Could not find 'model/llama9'"},
	} {
		found := diagnosed(text)
		if len(found) != 1 || found[0].Cause != train.Cause(want[0]) || !strings.Contains(found[0].Title, want[1]) {
			t.Errorf("%q: got %+v", text, found)
		}
	}
}
