package main

import (
	"fmt"
	"sync/atomic"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	clientinformers "k8s.io/client-go/informers"
	"k8s.io/client-go/tools/cache"
)

func startInformer(c *cluster, labels string) (cache.SharedIndexInformer, *counts, func()) {
	factory := clientinformers.NewSharedInformerFactoryWithOptions(c.typed, 0, clientinformers.WithNamespace(c.namespace),
		clientinformers.WithTweakListOptions(func(options *metav1.ListOptions) { options.LabelSelector = labels }))
	informer := factory.Core().V1().ConfigMaps().Informer()
	seen := &counts{}
	informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    func(any) { seen.added.Add(1) },
		UpdateFunc: func(any, any) { seen.updated.Add(1) },
		DeleteFunc: func(any) { seen.deleted.Add(1) },
	})
	stop := make(chan struct{})
	factory.Start(stop)
	factory.WaitForCacheSync(c.ctx.Done())
	return informer, seen, func() { close(stop); factory.Shutdown() }
}

type counts struct{ added, updated, deleted atomic.Int64 }

func (s *counts) are(added, updated, deleted int64) bool {
	return s.added.Load() == added && s.updated.Load() == updated && s.deleted.Load() == deleted
}

func informers(c *cluster) error {
	informer, seen, stop := startInformer(c, "set=many")
	defer stop()
	if err := waitFor(func() bool { return seen.are(manyCount, 0, 0) }); err != nil {
		return fmt.Errorf("first: %d of %d in the cache, %d told", len(informer.GetStore().List()), manyCount, seen.added.Load())
	}
	client := c.typed.CoreV1().ConfigMaps(c.namespace)
	for i := range 200 {
		item, err := client.Get(c.ctx, fmt.Sprintf("many-%05d", i), metav1.GetOptions{})
		if err != nil {
			return err
		}
		item.Data["number"] = "changed"
		if i%2 == 1 {
			item.Labels["set"] = "other"
		}
		if _, err := client.Update(c.ctx, item, metav1.UpdateOptions{}); err != nil {
			return err
		}
	}
	if err := waitFor(func() bool { return seen.are(manyCount, 100, 100) }); err != nil {
		return fmt.Errorf("added %d, updated %d, deleted %d", seen.added.Load(), seen.updated.Load(), seen.deleted.Load())
	}
	return nil
}

func waitFor(condition func() bool) error {
	deadline := time.Now().Add(30 * time.Second)
	for !condition() {
		if time.Now().After(deadline) {
			return fmt.Errorf("not in time")
		}
		time.Sleep(5 * time.Millisecond)
	}
	return nil
}
