package quota

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
	metrics "sigs.k8s.io/controller-runtime/pkg/metrics/server"
)

func TestTeamGetsTenPods(t *testing.T) {
	environment := &envtest.Environment{}
	config, err := environment.Start()
	must(t, err)
	t.Cleanup(func() { must(t, environment.Stop()) })
	manager, err := ctrl.NewManager(config, ctrl.Options{Metrics: metrics.Options{BindAddress: "0"}})
	must(t, err)
	must(t, (&Reconciler{manager.GetClient()}).SetupWithManager(manager))
	go func() { _ = manager.Start(t.Context()) }()

	team := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "blue", Labels: map[string]string{"team": "blue"}}}
	api, err := client.New(config, client.Options{})
	must(t, err)
	must(t, api.Create(t.Context(), team))
	var quota corev1.ResourceQuota
	for api.Get(t.Context(), client.ObjectKey{Namespace: "blue", Name: "team"}, &quota) != nil {
		time.Sleep(10 * time.Millisecond)
	}
	if pods := quota.Spec.Hard["pods"]; pods.Value() != 10 {
		t.Errorf("the team gets %s pods", pods.String())
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
