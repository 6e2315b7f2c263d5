// What programs of client-go do to a cluster: each step ends the program when the server's answer is not what client-go
// makes of a kube-apiserver's. KUBECONFIG names the cluster; the arguments are the content types to go through.
package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"time"

	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

// cluster holds the clients of one content type, and a namespace of their own.
type cluster struct {
	ctx       context.Context
	typed     kubernetes.Interface
	dynamic   dynamic.Interface
	namespace string
}

type step struct {
	name string
	run  func(*cluster) error
}

var steps = []step{
	{"typed objects are created, read, listed, updated, patched and deleted", typedVerbs},
	{"unstructured objects likewise", dynamicVerbs},
	{"apply configurations create, own, conflict and take over", applyConfigurations},
	{"10,000 objects are listed by pages and at once", manyObjects},
	{"an informer sees each change once", informers},
	{"errors are told apart by their reasons", errorReasons},
	{"discovery finds every resource", discoveryFinds},
}

func main() {
	log.SetFlags(0)
	for _, contentType := range os.Args[1:] {
		config, err := clientcmd.BuildConfigFromFlags("", os.Getenv("KUBECONFIG"))
		if err != nil {
			log.Fatal(err)
		}
		config.ContentType = contentType
		config.AcceptContentTypes = contentType + ",application/json"
		config.QPS, config.Burst = 2000, 4000
		runSteps(config, contentType)
	}
}

func runSteps(config *rest.Config, contentType string) {
	ctx, cancel := context.WithTimeout(context.Background(), 4*time.Minute)
	defer cancel()
	answers := &forms{counts: map[string]int{}}
	config.Wrap(answers.wrap)
	plain := rest.CopyConfig(config)
	plain.ContentType, plain.AcceptContentTypes = "", ""
	c := &cluster{ctx: ctx, typed: kubernetes.NewForConfigOrDie(config), dynamic: dynamic.NewForConfigOrDie(plain)}
	if err := makeNamespace(c); err != nil {
		log.Fatalf("%s: a namespace: %v", contentType, err)
	}
	for _, s := range steps {
		started := time.Now()
		if err := s.run(c); err != nil {
			log.Fatalf("not ok %s: %s: %v", contentType, s.name, err)
		}
		fmt.Printf("ok %s: %s (%d ms)\n", contentType, s.name, time.Since(started).Milliseconds())
	}
	if err := answers.check(contentType); err != nil {
		log.Fatalf("not ok %s: %v", contentType, err)
	}
	fmt.Printf("ok %s: answers were %v\n", contentType, answers.counts)
}
