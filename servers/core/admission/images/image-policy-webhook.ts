import type { ImagePolicyConfiguration } from '#shared/admission/configuration/image-policy-configuration.ts';
import type { AdmissionAttributes, AdmissionOperation, AdmissionPlugin } from '#shared/admission/contract/admission.ts';
import { isPods } from '#shared/admission/contract/attribute-match.ts';
import { refuseAdmission } from '#shared/admission/contract/refusal.ts';
import { StatusError } from '#shared/apimachinery/errors/status.ts';
import type { GroupResource } from '#shared/apimachinery/gvk.ts';
import { setKey } from '#shared/apimachinery/json/json.ts';
import { objectsAt, stringAt, stringMapAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { ensureObject } from '#shared/apimachinery/set-default.ts';
import type { KnowsKind } from '#shared/webhooks/kubeconfig/answered-review.ts';
import { KubeconfigWebhook } from '#shared/webhooks/kubeconfig/kubeconfig-webhook.ts';
import { readImageReview, type ReviewStatus } from './review-answer.ts';
import { ReviewAnswers } from './review-answers.ts';

const auditPrefix = 'imagepolicywebhook.image-policy.k8s.io/';
/** Put on pods whose images nobody has reviewed. */
const failedOpenAnnotation = 'alpha.image-policy.k8s.io/failed-open';
const reviewedAnnotations = '.image-policy.k8s.io/';

/** Asks a webhook whether a pod's images may run (plugin/pkg/admission/imagepolicy). */
export class ImagePolicyWebhook implements AdmissionPlugin {
  readonly name = 'ImagePolicyWebhook';
  readonly #webhook: KubeconfigWebhook;
  readonly #answers: ReviewAnswers;
  readonly #allowsByDefault: boolean;
  readonly #knowsKind: KnowsKind;

  constructor(
    configuration: ImagePolicyConfiguration,
    knowsKind: KnowsKind,
    reportError: (message: string, error: unknown) => void,
  ) {
    const { readTarget, retryMs, allowMs, denyMs, allowsByDefault } = configuration;
    this.#knowsKind = knowsKind;
    this.#webhook = new KubeconfigWebhook({
      read: readTarget,
      retryMs,
      reportError: (error) => reportError('the files of the image policy webhook stay as they were', error),
    });
    this.#answers = new ReviewAnswers({ allowMs, denyMs });
    this.#allowsByDefault = allowsByDefault;
  }

  handles(operation: AdmissionOperation, resource: GroupResource): boolean {
    return isPods(resource) && (operation === 'CREATE' || operation === 'UPDATE');
  }

  async validate(attributes: AdmissionAttributes): Promise<void> {
    const { object: pod, subresource } = attributes;
    if (pod === undefined || (subresource !== '' && subresource !== 'ephemeralcontainers')) return;
    const spec = JSON.stringify(specOf(pod, attributes));
    let status = this.#answers.get(spec);
    if (status === undefined) {
      try {
        status = readImageReview(await this.#webhook.post(reviewOf(spec)), this.#knowsKind);
      } catch (error) {
        this.#fail(attributes, pod, error);
        return;
      }
      this.#answers.add(spec, status);
    }
    judge(attributes, status);
  }

  /** The webhook could not be asked. */
  #fail(attributes: AdmissionAttributes, pod: KubeObject, error: unknown): void {
    // A webhook that forbids by its code is passed on as it is.
    if (!this.#allowsByDefault)
      throw error instanceof StatusError && error.status.code === 403
        ? error
        : refuseAdmission(attributes, error instanceof Error ? error.message : String(error));
    attributes.addAuditAnnotation(`${auditPrefix}failed-open`, 'true');
    setKey(ensureObject(pod.metadata, 'annotations'), failedOpenAnnotation, 'true');
  }
}

function judge(attributes: AdmissionAttributes, { allowed, reason, auditAnnotations }: ReviewStatus): void {
  for (const [key, value] of auditAnnotations) attributes.addAuditAnnotation(auditPrefix + key, value);
  if (allowed) return;
  throw refuseAdmission(
    attributes,
    reason === ''
      ? 'one or more images rejected by webhook backend'
      : `image policy webhook backend denied one or more images: ${reason}`,
  );
}

/** The spec of the review: images, and the annotations that are meant for the webhook. */
function specOf(pod: KubeObject, { subresource, namespace }: AdmissionAttributes): Record<string, unknown> {
  const lists = subresource === '' ? ['containers', 'initContainers'] : ['ephemeralContainers'];
  const containers = lists
    .flatMap((list) => objectsAt(pod, 'spec', list))
    .map((container) => stringAt(container, 'image'))
    .map((image) => (image === '' ? {} : { image }));
  const annotations = [...stringMapAt(pod.metadata, 'annotations')]
    .filter(([key]) => key.includes(reviewedAnnotations))
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    ...(containers.length > 0 && { containers }),
    ...(annotations.length > 0 && { annotations: Object.fromEntries(annotations) }),
    ...(namespace !== '' && { namespace }),
  };
}

function reviewOf(spec: string): string {
  const head = '{"kind":"ImageReview","apiVersion":"imagepolicy.k8s.io/v1alpha1","metadata":{}';
  return `${head},"spec":${spec},"status":{"allowed":false}}\n`;
}
