package testing

import (
	"fmt"
	"os"
	"strings"
	"time"

	"k8s.io/apiserver/pkg/storage/cacher"
	controlplaneapiserver "k8s.io/kubernetes/pkg/controlplane/apiserver"
)

// withPeriods starts a server that has those periods which the test has changed in its own process. The file that
// PERIODS_MODULE names makes the server's timers follow.
func withPeriods(start func() (*ServerProcess, error)) (*ServerProcess, error) {
	usual := map[time.Duration]time.Duration{
		time.Hour:        controlplaneapiserver.IdentityLeaseGCPeriod,
		30 * time.Minute: controlplaneapiserver.LeaseCandidateGCPeriod,
	}
	var changed []string
	for before, now := range usual {
		if now != before {
			changed = append(changed, fmt.Sprintf(`"%d":%d`, before.Milliseconds(), now.Milliseconds()))
		}
	}
	// Checks of caches come after the period, and after up to half of it again.
	const usualCheck = 5 * time.Minute
	if now := cacher.ConsistencyCheckPeriod; now != usualCheck {
		first, last := usualCheck.Milliseconds()+1, usualCheck.Milliseconds()*3/2
		changed = append(changed, fmt.Sprintf(`"%d-%d":%d`, first, last, now.Milliseconds()))
	}
	if len(changed) == 0 {
		return start()
	}
	for name, value := range map[string]string{
		"SHORTER_PERIODS": "{" + strings.Join(changed, ",") + "}",
		"NODE_OPTIONS":    "--import " + os.Getenv("PERIODS_MODULE"),
	} {
		if err := os.Setenv(name, value); err != nil {
			return nil, err
		}
		defer os.Unsetenv(name)
	}
	return start()
}
