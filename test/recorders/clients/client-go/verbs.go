package main

import (
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/ptr"
)

func makeNamespace(c *cluster) error {
	made, err := c.typed.CoreV1().Namespaces().Create(c.ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{GenerateName: "sdk-go-"}}, metav1.CreateOptions{})
	if err != nil {
		return err
	}
	c.namespace = made.Name
	return nil
}

func deployment(name string, replicas int32) *appsv1.Deployment {
	labels := map[string]string{"app": name}
	return &appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{Name: name, Labels: labels},
		Spec: appsv1.DeploymentSpec{
			Replicas: ptr.To(replicas),
			Selector: &metav1.LabelSelector{MatchLabels: labels},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: labels},
				Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "main", Image: "example.com/main:1"}}},
			},
		},
	}
}

func typedVerbs(c *cluster) error {
	client := c.typed.AppsV1().Deployments(c.namespace)
	made, err := client.Create(c.ctx, deployment("typed", 2), metav1.CreateOptions{FieldValidation: "Strict"})
	if err != nil {
		return err
	}
	if made.UID == "" || made.Spec.Strategy.RollingUpdate == nil || made.Generation != 1 {
		return fmt.Errorf("not defaulted: %+v", made)
	}
	made.Spec.Replicas = ptr.To[int32](3)
	updated, err := client.Update(c.ctx, made, metav1.UpdateOptions{})
	if err != nil {
		return err
	}
	if updated.Generation != 2 || updated.ResourceVersion == made.ResourceVersion {
		return fmt.Errorf("generation %d, version %s after %s", updated.Generation, updated.ResourceVersion, made.ResourceVersion)
	}
	if _, err := client.Update(c.ctx, made, metav1.UpdateOptions{}); !apierrors.IsConflict(err) {
		return fmt.Errorf("an old version: %v", err)
	}
	updated.Status.Replicas = 3
	if _, err := client.UpdateStatus(c.ctx, updated, metav1.UpdateOptions{}); err != nil {
		return err
	}
	for patchType, body := range map[types.PatchType]string{
		types.JSONPatchType:           `[{"op":"replace","path":"/spec/replicas","value":4}]`,
		types.MergePatchType:          `{"spec":{"replicas":5}}`,
		types.StrategicMergePatchType: `{"spec":{"template":{"spec":{"containers":[{"name":"main","image":"example.com/main:2"}]}}}}`,
	} {
		if _, err := client.Patch(c.ctx, "typed", patchType, []byte(body), metav1.PatchOptions{}); err != nil {
			return fmt.Errorf("%s: %w", patchType, err)
		}
	}
	scale, err := client.GetScale(c.ctx, "typed", metav1.GetOptions{})
	if err != nil {
		return err
	}
	scale.Spec.Replicas = 1
	if _, err := client.UpdateScale(c.ctx, "typed", scale, metav1.UpdateOptions{}); err != nil {
		return err
	}
	list, err := client.List(c.ctx, metav1.ListOptions{LabelSelector: "app=typed"})
	if err != nil {
		return err
	}
	if len(list.Items) != 1 || *list.Items[0].Spec.Replicas != 1 || list.Items[0].Spec.Template.Spec.Containers[0].Image != "example.com/main:2" {
		return fmt.Errorf("listed: %+v", list.Items)
	}
	if err := client.Delete(c.ctx, "typed", metav1.DeleteOptions{Preconditions: metav1.NewUIDPreconditions("other")}); !apierrors.IsConflict(err) {
		return fmt.Errorf("a uid that is another's: %v", err)
	}
	return client.DeleteCollection(c.ctx, metav1.DeleteOptions{}, metav1.ListOptions{LabelSelector: "app=typed"})
}

func dynamicVerbs(c *cluster) error {
	client := c.dynamic.Resource(schema.GroupVersionResource{Version: "v1", Resource: "configmaps"}).Namespace(c.namespace)
	object := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "v1", "kind": "ConfigMap", "metadata": map[string]any{"name": "dynamic"}, "data": map[string]any{"a": "1"},
	}}
	made, err := client.Create(c.ctx, object, metav1.CreateOptions{})
	if err != nil {
		return err
	}
	if err := unstructured.SetNestedField(made.Object, "2", "data", "a"); err != nil {
		return err
	}
	if _, err := client.Update(c.ctx, made, metav1.UpdateOptions{}); err != nil {
		return err
	}
	if _, err := client.Patch(c.ctx, "dynamic", types.MergePatchType, []byte(`{"data":{"b":"3"}}`), metav1.PatchOptions{}); err != nil {
		return err
	}
	got, err := client.Get(c.ctx, "dynamic", metav1.GetOptions{})
	if err != nil {
		return err
	}
	data, _, _ := unstructured.NestedStringMap(got.Object, "data")
	if data["a"] != "2" || data["b"] != "3" {
		return fmt.Errorf("read: %v", data)
	}
	return client.Delete(c.ctx, "dynamic", metav1.DeleteOptions{})
}
