// Runs an informer of ConfigMaps in the namespace default of the cluster that KUBECONFIG names, and prints what its store holds
// as one line of JSON for each line that it reads.
package main

import (
	"bufio"
	"encoding/json"
	"log"
	"os"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"
)

func main() {
	config, err := clientcmd.BuildConfigFromFlags("", os.Getenv("KUBECONFIG"))
	if err != nil {
		log.Fatal(err)
	}
	factory := informers.NewSharedInformerFactoryWithOptions(kubernetes.NewForConfigOrDie(config), 0, informers.WithNamespace("default"))
	informer := factory.Core().V1().ConfigMaps().Informer()
	factory.Start(nil)
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		held := map[string]string{}
		for _, item := range informer.GetStore().List() {
			object := item.(*corev1.ConfigMap)
			held[object.Name] = string(object.UID) + " " + object.ResourceVersion + " " + object.Data["text"]
		}
		if err := json.NewEncoder(os.Stdout).Encode(held); err != nil {
			log.Fatal(err)
		}
	}
}
