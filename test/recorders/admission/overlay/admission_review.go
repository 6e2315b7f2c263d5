package request

// Records the reviews that webhooks get, and what is made of their answers. record.sh gives upstream's functions the suffix
// Unrecorded.

import (
	"encoding/json"

	admissionv1 "k8s.io/api/admission/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apiserver/pkg/admission"
	"k8s.io/apiserver/pkg/admission/plugin/webhook/generic"
	"k8s.io/apiserver/pkg/admission/recording"
)

func VerifyAdmissionResponse(uid types.UID, mutating bool, review runtime.Object) (*AdmissionResponse, error) {
	response, err := verifyAdmissionResponseUnrecorded(uid, mutating, review)
	if recording.In("request") {
		line := map[string]any{"uid": uid, "mutating": mutating, "review": review, "version": versionOf(review), "error": recording.Answer(err)}
		if response != nil {
			line["response"] = response
		}
		recording.Line("review-answers", line)
	}
	return response, err
}

func CreateAdmissionObjects(attributes *admission.VersionedAttributes, invocation *generic.WebhookInvocation) (types.UID, runtime.Object, runtime.Object, error) {
	uid, review, response, err := createAdmissionObjectsUnrecorded(attributes, invocation)
	if recording.In("request") {
		line := map[string]any{"versions": invocation.Webhook.GetAdmissionReviewVersions(), "error": recording.Answer(err)}
		if err == nil {
			request := recording.Attributes(attributes, nil)
			request["object"], request["oldObject"] = attributes.VersionedObject, attributes.VersionedOldObject
			line["attributes"], line["match"] = request, recording.Match(invocation.Resource, invocation.Kind)
			line["version"], line["review"] = versionOf(response), withoutUID(review)
		}
		recording.Line("reviews", line)
	}
	return uid, review, response, err
}

func withoutUID(request runtime.Object) any {
	review := struct {
		Request map[string]any `json:"request"`
	}{}
	if err := json.Unmarshal(recording.Plain(request), &review); err != nil {
		panic(err)
	}
	delete(review.Request, "uid")
	return review.Request
}

func versionOf(review runtime.Object) string {
	if _, ok := review.(*admissionv1.AdmissionReview); ok {
		return "v1"
	}
	return "v1beta1"
}
