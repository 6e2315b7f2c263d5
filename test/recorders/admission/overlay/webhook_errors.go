package errors

// Records the error of a request that a webhook denies. record.sh gives upstream's function the suffix Unrecorded.

import (
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apiserver/pkg/admission/recording"
)

func ToStatusErr(webhookName string, result *metav1.Status) *apierrors.StatusError {
	line := map[string]any{"webhook": webhookName, "result": recording.Plain(result)}
	err := toStatusErrUnrecorded(webhookName, result)
	if recording.In("errors") {
		line["error"] = recording.Answer(err)
		recording.Line("denials", line)
	}
	return err
}
