package webhook

// Records what the tests' webhooks are asked and answer, and what follows from that. record.sh gives upstream's functions the
// suffix Unrecorded.

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"sync"
	"time"

	authorizationv1 "k8s.io/api/authorization/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/apiserver/pkg/apis/apiserver"
	"k8s.io/apiserver/pkg/authorization/authorizer"
	authorizationcel "k8s.io/apiserver/pkg/authorization/cel"
	"k8s.io/apiserver/pkg/authorization/recording"
	genericfeatures "k8s.io/apiserver/pkg/features"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/apiserver/plugin/pkg/authorizer/webhook/metrics"
	"k8s.io/client-go/rest"
)

// noted notes the requests of a client.
type noted struct {
	subjectAccessReviewer
	version string
	lock    sync.Mutex
	calls   []map[string]any
}

func (n *noted) take() []map[string]any {
	n.lock.Lock()
	defer n.lock.Unlock()
	calls := n.calls
	n.calls = nil
	return calls
}

func (n *noted) Create(ctx context.Context, review *authorizationv1.SubjectAccessReview, options metav1.CreateOptions) (*authorizationv1.SubjectAccessReview, int, error) {
	return n.subjectAccessReviewer.Create(ctx, review, options)
}

type transport struct {
	http.RoundTripper
	to *noted
}

func (t transport) RoundTrip(request *http.Request) (*http.Response, error) {
	body, _ := io.ReadAll(request.Body)
	request.Body = io.NopCloser(bytes.NewReader(body))
	call := map[string]any{"body": string(body)}
	response, err := t.RoundTripper.RoundTrip(request)
	if err == nil {
		answer, _ := io.ReadAll(response.Body)
		response.Body = io.NopCloser(bytes.NewReader(answer))
		call["code"], call["type"], call["answer"] = response.StatusCode, response.Header.Get("Content-Type"), string(answer)
	}
	t.to.lock.Lock()
	defer t.to.lock.Unlock()
	t.to.calls = append(t.to.calls, call)
	return response, err
}

func subjectAccessReviewInterfaceFromConfig(config *rest.Config, version string, backoff wait.Backoff) (subjectAccessReviewer, error) {
	notes := &noted{version: version}
	copied := rest.CopyConfig(config)
	copied.Wrap(func(inner http.RoundTripper) http.RoundTripper { return transport{inner, notes} })
	client, err := subjectAccessReviewInterfaceFromConfigUnrecorded(copied, version, backoff)
	notes.subjectAccessReviewer = client
	return notes, err
}


var authorizers sync.Map
var count = 0

func newWithBackoff(client subjectAccessReviewer, authorizedTTL, unauthorizedTTL time.Duration, backoff wait.Backoff, onError authorizer.Decision, conditions []apiserver.WebhookMatchCondition, am metrics.AuthorizerMetrics, compiler authorizationcel.Compiler, name string) (*WebhookAuthorizer, error) {
	made, err := newWithBackoffUnrecorded(client, authorizedTTL, unauthorizedTTL, backoff, onError, conditions, am, compiler, name)
	if notes, ok := client.(*noted); ok && err == nil {
		count++
		texts := []string{}
		for _, condition := range conditions {
			texts = append(texts, condition.Expression)
		}
		authorizers.Store(made, map[string]any{
			"number": count, "version": notes.version, "authorizedTTL": authorizedTTL.Milliseconds(),
			"unauthorizedTTL": unauthorizedTTL.Milliseconds(), "onError": onError.String(), "conditions": texts,
		})
	}
	return made, err
}

func (w *WebhookAuthorizer) Authorize(ctx context.Context, attr authorizer.Attributes) (authorizer.Decision, string, error) {
	decision, reason, err := w.authorizeUnrecorded(ctx, attr)
	if config, ok := authorizers.Load(w); ok {
		recording.Line("webhook-calls", map[string]any{
			"authorizer": config, "attributes": recording.Attributes(attr), "calls": w.subjectAccessReview.(*noted).take(),
			"decision": decision.String(), "reason": reason, "error": recording.Text(err),
		})
	}
	return decision, reason, err
}

func resourceAttributesFrom(attr authorizer.Attributes) *authorizationv1.ResourceAttributes {
	asked := resourceAttributesFromUnrecorded(attr)
	recording.Line("questions", map[string]any{
		"attributes": recording.Attributes(attr), "asked": asked,
		"selectors": utilfeature.DefaultFeatureGate.Enabled(genericfeatures.AuthorizeWithSelectors),
	})
	return asked
}
