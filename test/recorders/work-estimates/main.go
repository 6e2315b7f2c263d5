// Asks upstream's work estimator about random requests.
//
//	cd test/recorders && go run ./work-estimates > ../../shared/flowcontrol/estimates/testdata/estimates.json
package main

import (
	"encoding/json"
	"math/rand"
	"net/http"
	"net/url"
	"os"

	apirequest "k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/storage"
	"k8s.io/apiserver/pkg/storage/feature"
	"k8s.io/apiserver/pkg/util/flowcontrol/request"
)

// Case is a request with what the estimator knows, and its answer.
type Case struct {
	Verb         string `json:"verb"`
	Resource     string `json:"resource"`
	Subresource  string `json:"subresource"`
	Name         string `json:"name"`
	Query        string `json:"query"`
	Known        bool   `json:"known"` // whether the objects were counted
	Count        int64  `json:"count"`
	AverageBytes int64  `json:"averageBytes"`
	Watches      int    `json:"watches"`
	MaxSeats     uint64 `json:"maxSeats"`
	// The answer: initial seats, final seats, additional latency in nanoseconds.
	Estimate [3]int64 `json:"estimate"`
}

func pick[T any](random *rand.Rand, items ...T) T { return items[random.Intn(len(items))] }

func randomCase(random *rand.Rand) Case {
	query := url.Values{}
	maybe := func(name string, values ...string) {
		if random.Intn(3) == 0 {
			query.Set(name, pick(random, values...))
		}
	}
	maybe("limit", "0", "1", "100", "500", "-3", "many")
	maybe("resourceVersion", "0", "5", "")
	maybe("resourceVersionMatch", "Exact", "NotOlderThan", "Other")
	maybe("continue", "token")
	maybe("labelSelector", "a=b")
	maybe("fieldSelector", "a=b")
	maybe("sendInitialEvents", "true", "false", "1", "0")
	return Case{
		Verb:         pick(random, "list", "list", "list", "watch", "create", "update", "patch", "delete", "get", "deletecollection"),
		Resource:     pick(random, "pods", "serviceaccounts"),
		Subresource:  pick(random, "", "", "token", "status"),
		Name:         pick(random, "", "", "a"),
		Query:        query.Encode(),
		Known:        random.Intn(8) > 0,
		Count:        pick(random, int64(0), 1, 99, 101, 1_000, 12_345),
		AverageBytes: pick(random, int64(0), 300, 4_000, 90_000),
		Watches:      pick(random, 0, 9, 10, 11, 95, 1_000),
		MaxSeats:     pick(random, uint64(0), 1, 3, 10, 40, 200),
	}
}

func (c *Case) ask() {
	estimator := request.NewWorkEstimator(
		func(string) (storage.Stats, error) {
			if !c.Known {
				return storage.Stats{}, request.ObjectCountNotFoundErr
			}
			return storage.Stats{ObjectCount: c.Count, EstimatedAverageObjectSizeBytes: c.AverageBytes}, nil
		},
		func(*apirequest.RequestInfo) int { return c.Watches },
		request.DefaultWorkEstimatorConfig(),
		func(string) uint64 { return c.MaxSeats },
	)
	r, err := http.NewRequest(http.MethodGet, "/?"+c.Query, nil)
	if err != nil {
		panic(err)
	}
	info := &apirequest.RequestInfo{IsResourceRequest: true, Verb: c.Verb, Resource: c.Resource, Subresource: c.Subresource, Name: c.Name}
	estimate := estimator(r.WithContext(apirequest.WithRequestInfo(r.Context(), info)), "schema", "level")
	c.Estimate = [3]int64{int64(estimate.InitialSeats), int64(estimate.FinalSeats), estimate.AdditionalLatency.Nanoseconds()}
}

// everyFeature is an etcd that can report progress, so that consistent lists come from caches. Its other method is not
// called.
type everyFeature struct{ feature.FeatureSupportChecker }

func (everyFeature) Supports(storage.Feature) bool { return true }

func main() {
	feature.DefaultFeatureSupportChecker = everyFeature{}
	random := rand.New(rand.NewSource(1))
	out := json.NewEncoder(os.Stdout)
	_, _ = os.Stdout.WriteString("[\n")
	for i := range 400 {
		c := randomCase(random)
		c.ask()
		if i > 0 {
			_, _ = os.Stdout.WriteString(",")
		}
		if err := out.Encode(c); err != nil {
			panic(err)
		}
	}
	_, _ = os.Stdout.WriteString("]\n")
}
