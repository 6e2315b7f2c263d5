package main

import (
	"fmt"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	applyapps "k8s.io/client-go/applyconfigurations/apps/v1"
	applycore "k8s.io/client-go/applyconfigurations/core/v1"
	applymeta "k8s.io/client-go/applyconfigurations/meta/v1"
)

func applied(namespace string, replicas int32) *applyapps.DeploymentApplyConfiguration {
	labels := map[string]string{"app": "applied"}
	return applyapps.Deployment("applied", namespace).WithSpec(applyapps.DeploymentSpec().
		WithReplicas(replicas).
		WithSelector(applymeta.LabelSelector().WithMatchLabels(labels)).
		WithTemplate(applycore.PodTemplateSpec().WithLabels(labels).WithSpec(applycore.PodSpec().
			WithContainers(applycore.Container().WithName("main").WithImage("example.com/main:1")))))
}

func applyConfigurations(c *cluster) error {
	client := c.typed.AppsV1().Deployments(c.namespace)
	made, err := client.Apply(c.ctx, applied(c.namespace, 2), metav1.ApplyOptions{FieldManager: "first"})
	if err != nil {
		return err
	}
	again, err := client.Apply(c.ctx, applied(c.namespace, 2), metav1.ApplyOptions{FieldManager: "first"})
	if err != nil {
		return err
	}
	if again.ResourceVersion != made.ResourceVersion {
		return fmt.Errorf("the same apply wrote: %s, then %s", made.ResourceVersion, again.ResourceVersion)
	}
	if _, err := client.Apply(c.ctx, applied(c.namespace, 3), metav1.ApplyOptions{FieldManager: "second"}); !apierrors.IsConflict(err) {
		return fmt.Errorf("another's field: %v", err)
	}
	forced, err := client.Apply(c.ctx, applied(c.namespace, 3), metav1.ApplyOptions{FieldManager: "second", Force: true})
	if err != nil {
		return err
	}
	own, err := applyapps.ExtractDeployment(forced, "second")
	if err != nil {
		return err
	}
	if own.Spec == nil || own.Spec.Replicas == nil || *own.Spec.Replicas != 3 || own.Spec.Template == nil {
		return fmt.Errorf("extracted: %+v", own)
	}
	taken, err := applyapps.ExtractDeployment(forced, "first")
	if err != nil {
		return err
	}
	if taken.Spec.Replicas != nil {
		return fmt.Errorf("first still owns replicas")
	}
	return client.Delete(c.ctx, "applied", metav1.DeleteOptions{})
}
