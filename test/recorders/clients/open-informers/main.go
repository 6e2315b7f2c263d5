// Runs informers of client-go on the cluster that KUBECONFIG names, in three forms (typed, dynamic, and of metadata only),
// and says of each whether it was ever told less or worse than a cluster promises. For each line that it reads, a resource as
// `configmaps.` or `things.standing.example.com`, it prints one line of JSON with what the informers of that resource hold. It
// prints a line `{"ready":true}` once all have listed, and one for each problem: a second list, a failed request, an ERROR
// event, or a version that does not rise.
package main

import (
	"bufio"
	"encoding/json"
	"log"
	"os"
	"strings"
	"sync"

	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
)

// Resources that dynamic informers and informers of metadata follow.
var resources = []schema.GroupVersionResource{
	{Version: "v1", Resource: "configmaps"},
	{Version: "v1", Resource: "secrets"},
	{Version: "v1", Resource: "services"},
	{Version: "v1", Resource: "namespaces"},
	{Version: "v1", Resource: "pods"},
	{Version: "v1", Resource: "events"},
	{Version: "v1", Resource: "serviceaccounts"},
	{Group: "rbac.authorization.k8s.io", Version: "v1", Resource: "rolebindings"},
	{Group: "admissionregistration.k8s.io", Version: "v1", Resource: "validatingadmissionpolicies"},
	{Group: "apiextensions.k8s.io", Version: "v1", Resource: "customresourcedefinitions"},
	{Group: "apiregistration.k8s.io", Version: "v1", Resource: "apiservices"},
	{Group: "standing.example.com", Version: "v1", Resource: "things"},
}

var printing sync.Mutex

func printLine(line any) {
	printing.Lock()
	defer printing.Unlock()
	if err := json.NewEncoder(os.Stdout).Encode(line); err != nil {
		log.Fatal(err)
	}
}

func main() {
	log.SetFlags(0)
	config, err := clientcmd.BuildConfigFromFlags("", os.Getenv("KUBECONFIG"))
	if err != nil {
		log.Fatal(err)
	}
	// All informers list at once.
	config.QPS = -1
	followed := map[string][]*followed{}
	synced := []cache.InformerSynced{}
	for _, one := range followAll(config) {
		followed[one.resource] = append(followed[one.resource], one)
		synced = append(synced, one.registration.HasSynced)
	}
	cache.WaitForCacheSync(nil, synced...)
	printLine(map[string]bool{"ready": true})
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		held := []holding{}
		for _, one := range followed[lines.Text()] {
			held = append(held, one.holding())
		}
		printLine(map[string]any{"resource": lines.Text(), "held": held})
	}
}

func followAll(config *rest.Config) []*followed {
	typed := kubernetes.NewForConfigOrDie(protobuf(config))
	core := typed.CoreV1()
	all := []*followed{
		follow("configmaps.", "typed", &corev1.ConfigMap{}, core.ConfigMaps("")),
		follow("secrets.", "typed", &corev1.Secret{}, core.Secrets("")),
		follow("services.", "typed", &corev1.Service{}, core.Services("")),
		follow("namespaces.", "typed", &corev1.Namespace{}, core.Namespaces()),
		follow("pods.", "typed", &corev1.Pod{}, core.Pods("")),
		follow("rolebindings.rbac.authorization.k8s.io", "typed", &rbacv1.RoleBinding{}, typed.RbacV1().RoleBindings("")),
	}
	untyped := dynamic.NewForConfigOrDie(config)
	partial := metadata.NewForConfigOrDie(config)
	for _, resource := range resources {
		key := strings.Join([]string{resource.Resource, resource.Group}, ".")
		all = append(all,
			follow(key, "dynamic", &unstructured.Unstructured{}, untyped.Resource(resource)),
			follow(key, "metadata", &metav1.PartialObjectMetadata{}, partial.Resource(resource)))
	}
	return all
}

func protobuf(config *rest.Config) *rest.Config {
	wanted := rest.CopyConfig(config)
	wanted.AcceptContentTypes = "application/vnd.kubernetes.protobuf,application/json"
	wanted.ContentType = "application/vnd.kubernetes.protobuf"
	return wanted
}
