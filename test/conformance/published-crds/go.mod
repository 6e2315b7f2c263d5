module quarterdeck.invalid/published-crds

go 1.26

require (
	github.com/cert-manager/cert-manager v1.21.2
	github.com/kyverno/kyverno v1.19.1
	github.com/prometheus-operator/prometheus-operator v0.85.0
	sigs.k8s.io/cluster-api v1.13.6
	sigs.k8s.io/gateway-api v1.6.3
)
