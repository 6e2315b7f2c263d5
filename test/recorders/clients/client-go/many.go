package main

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/tools/pager"
)

const manyCount = 10_000

func manyObjects(c *cluster) error {
	client := c.typed.CoreV1().ConfigMaps(c.namespace)
	var group sync.WaitGroup
	var failed atomic.Pointer[error]
	for worker := range 16 {
		group.Go(func() {
			for i := worker; i < manyCount; i += 16 {
				object := &corev1.ConfigMap{
					ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("many-%05d", i), Labels: map[string]string{"set": "many"}},
					Data:       map[string]string{"number": fmt.Sprint(i)},
				}
				if _, err := client.Create(c.ctx, object, metav1.CreateOptions{}); err != nil {
					failed.Store(&err)
					return
				}
			}
		})
	}
	group.Wait()
	if err := failed.Load(); err != nil {
		return *err
	}
	whole, err := client.List(c.ctx, metav1.ListOptions{LabelSelector: "set=many"})
	if err != nil {
		return err
	}
	paged := map[string]string{}
	pages := pager.New(func(ctx context.Context, options metav1.ListOptions) (runtime.Object, error) {
		return client.List(ctx, options)
	})
	if err := pages.EachListItem(c.ctx, metav1.ListOptions{LabelSelector: "set=many"}, func(object runtime.Object) error {
		item := object.(*corev1.ConfigMap)
		paged[item.Name] = item.Data["number"]
		return nil
	}); err != nil {
		return err
	}
	if len(whole.Items) != manyCount || len(paged) != manyCount {
		return fmt.Errorf("%d at once, %d by pages", len(whole.Items), len(paged))
	}
	return nil
}
