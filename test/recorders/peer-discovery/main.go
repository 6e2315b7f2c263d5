// Command peer-discovery records how the reference merges its discovery with that of peers, and the orders of names that it
// makes on the way:
//
//	cd test/recorders && go run ./peer-discovery > ../../gateway/peers/testdata/merged.json
package main

import (
	"encoding/json"
	"math/rand"
	"os"

	apidiscovery "k8s.io/api/apidiscovery/v2"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/sort"
	"k8s.io/apiserver/pkg/endpoints/discovery/aggregated"
)

type order struct {
	Lists  [][]string `json:"lists"`
	Merged []string   `json:"merged"`
}

type merge struct {
	ID     string                                      `json:"id"`
	Own    []apidiscovery.APIGroupDiscovery            `json:"own"`
	Peers  map[string][]apidiscovery.APIGroupDiscovery `json:"peers"`
	Merged []apidiscovery.APIGroupDiscovery            `json:"merged"`
}

type recording struct {
	Orders []order `json:"orders"`
	Merges []merge `json:"merges"`
}

func main() {
	random := rand.New(rand.NewSource(1))
	var made recording
	for range 40 {
		lists := make([][]string, 1+random.Intn(3))
		for index := range lists {
			lists[index] = some(random, "b", "a", "B", "é", "c", "aa", "z")
		}
		made.Orders = append(made.Orders, order{Lists: lists, Merged: sort.MergePreservingRelativeOrder(lists)})
	}
	for range 16 {
		one := merge{ID: "server-2", Own: groups(random), Peers: map[string][]apidiscovery.APIGroupDiscovery{}}
		for _, id := range some(random, "server-1", "server-3", "server-4") {
			one.Peers[id] = groups(random)
		}
		one.Merged = aggregated.TestMergeResources(one.ID, one.Own, one.Peers)
		made.Merges = append(made.Merges, one)
	}
	encoder := json.NewEncoder(os.Stdout)
	if err := encoder.Encode(made); err != nil {
		panic(err)
	}
}

// some takes part of the names, mostly in the order given.
func some(random *rand.Rand, names ...string) []string {
	taken := []string{}
	for _, name := range names {
		if random.Intn(3) > 0 {
			taken = append(taken, name)
		}
	}
	if len(taken) > 1 && random.Intn(3) == 0 {
		taken[0], taken[1] = taken[1], taken[0]
	}
	return taken
}

func groups(random *rand.Rand) []apidiscovery.APIGroupDiscovery {
	made := []apidiscovery.APIGroupDiscovery{}
	for _, name := range some(random, "apps", "batch", "a.example.com") {
		group := apidiscovery.APIGroupDiscovery{ObjectMeta: metav1.ObjectMeta{Name: name}, Versions: []apidiscovery.APIVersionDiscovery{}}
		for _, version := range append([]string{"v2"}, some(random, "v1", "v1beta1")...) {
			group.Versions = append(group.Versions, apidiscovery.APIVersionDiscovery{Version: version, Resources: resources(random), Freshness: "Current"})
		}
		made = append(made, group)
	}
	return made
}

func resources(random *rand.Rand) []apidiscovery.APIResourceDiscovery {
	var made []apidiscovery.APIResourceDiscovery
	for _, name := range some(random, "jobs", "cronjobs") {
		resource := apidiscovery.APIResourceDiscovery{
			Resource: name, ResponseKind: &metav1.GroupVersionKind{Kind: name}, Scope: "Namespaced", SingularResource: name,
			Verbs: append([]string{"get"}, some(random, "list", "delete", "watch")...),
		}
		for _, sub := range some(random, "status", "scale") {
			resource.Subresources = append(resource.Subresources, apidiscovery.APISubresourceDiscovery{
				Subresource: sub, ResponseKind: &metav1.GroupVersionKind{Kind: name}, Verbs: []string{"get"},
			})
		}
		made = append(made, resource)
	}
	return made
}
