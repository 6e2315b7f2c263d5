package main

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/discovery"
)

func errorReasons(c *cluster) error {
	client := c.typed.CoreV1().ConfigMaps(c.namespace)
	_, err := client.Get(c.ctx, "missing", metav1.GetOptions{})
	if !apierrors.IsNotFound(err) {
		return fmt.Errorf("missing: %v", err)
	}
	object := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "twice"}}
	if _, err := client.Create(c.ctx, object, metav1.CreateOptions{}); err != nil {
		return err
	}
	if _, err := client.Create(c.ctx, object, metav1.CreateOptions{}); !apierrors.IsAlreadyExists(err) {
		return fmt.Errorf("twice: %v", err)
	}
	object.Name = "Not A Name"
	if _, err := client.Create(c.ctx, object, metav1.CreateOptions{}); !apierrors.IsInvalid(err) {
		return fmt.Errorf("a bad name: %v", err)
	}
	if cause, ok := apierrors.StatusCause(errorOf(client.Create(c.ctx, object, metav1.CreateOptions{})), metav1.CauseTypeFieldValueInvalid); !ok || cause.Field != "metadata.name" {
		return fmt.Errorf("its cause: %v", cause)
	}
	if _, err := client.List(c.ctx, metav1.ListOptions{Continue: "broken"}); !apierrors.IsBadRequest(err) {
		return fmt.Errorf("a broken token: %v", err)
	}
	_, err = c.typed.CoreV1().ConfigMaps("no-such-namespace").Create(c.ctx, &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "a"}}, metav1.CreateOptions{})
	if !apierrors.HasStatusCause(err, corev1.NamespaceTerminatingCause) && !apierrors.IsNotFound(err) {
		return fmt.Errorf("no namespace: %v", err)
	}
	return nil
}

func errorOf(_ any, err error) error { return err }

func discoveryFinds(c *cluster) error {
	_, lists, err := c.typed.Discovery().ServerGroupsAndResources()
	if err != nil {
		return err
	}
	listable := discovery.FilteredBy(discovery.SupportsAllVerbs{Verbs: []string{"list", "watch"}}, lists)
	count := 0
	for _, list := range listable {
		count += len(list.APIResources)
	}
	if count < 50 {
		return fmt.Errorf("%d resources", count)
	}
	return nil
}
