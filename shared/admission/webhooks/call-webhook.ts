import { setTimeout as sleep } from 'node:timers/promises';
import type { AdmissionAttributes } from '#shared/admission/contract/admission.ts';
import type { ResourceMatch } from '#shared/admission/contract/object-versions.ts';
import type { VersionedAttributes } from '#shared/admission/contract/versioned-attributes.ts';
import type { StructSchema } from '#shared/apimachinery/schema/schema.ts';
import { sliceIsOver, type Steps } from '#shared/apimachinery/slices/slices.ts';
import { inRequestSlices } from '#shared/request/in-request-slices.ts';
import { activeSpan, runSpan, spanEvent } from '#shared/spans/active-span.ts';
import type { RequestSpan } from '#shared/spans/request-span.ts';
import { webhookTarget, type WebhookTarget } from '#shared/webhooks/client-config.ts';
import { WebhookCallError } from '#shared/webhooks/webhook-call-error.ts';
import { certificateAnnotations } from '#shared/webhooks/webhook-certificates.ts';
import type { WebhookClient } from '#shared/webhooks/webhook-client.ts';
import { admissionReview, admissionReviewVersionOf } from './admission-review.ts';
import type { AdmissionWebhook } from './admission-webhook.ts';
import { addAnnotation } from './audit-annotations.ts';
import { decodeReview, verifyReview, type AdmissionResponse } from './review-answer.ts';
import { CallingWebhookError, webhookDenial, withoutDryRun } from './webhook-failure.ts';

export interface WebhookCaller {
  readonly clients: { readonly mutating: WebhookClient; readonly validating: WebhookClient };
  /** The type of an AdmissionReview v1. */
  readonly reviewType: StructSchema;
}

/** What a webhook is asked. */
export interface WebhookQuestion {
  readonly webhook: AdmissionWebhook;
  readonly match: ResourceMatch;
  readonly versioned: VersionedAttributes;
  readonly mutating: boolean;
  /** Takes how long the webhook took to answer, or not to. Default: the request's {@link AdmissionAttributes}. */
  readonly noteMs?: (ms: number) => void;
}

/**
 * Asks one webhook about a request.
 * @throws StatusError if it denies the request; CallingWebhookError if it gives no usable answer
 */
export function callWebhook(caller: WebhookCaller, question: WebhookQuestion): Promise<AdmissionResponse> {
  const span = webhookSpan(question);
  return span === undefined ? ask(caller, question) : runSpan(span, ask, caller, question);
}

/** As the reference's dispatchers have it; undefined for a request that is not traced. */
function webhookSpan({ webhook, mutating, versioned }: WebhookQuestion): RequestSpan | undefined {
  const active = activeSpan();
  if (active === undefined) return undefined;
  const { resource, subresource, operation } = versioned.attributes;
  return active.child(`Call ${mutating ? 'mutating' : 'validating'} webhook`, {
    configuration: webhook.configuration,
    webhook: webhook.name,
    resource: `${resource.group}/${resource.version}, Resource=${resource.resource}`,
    subresource,
    operation,
  });
}

async function ask(
  { clients, reviewType }: WebhookCaller,
  { webhook, match, versioned, mutating, noteMs = versioned.attributes.noteWebhookMs }: WebhookQuestion,
): Promise<AdmissionResponse> {
  const { attributes } = versioned;
  checkSideEffects(webhook, attributes);
  const version = admissionReviewVersionOf(webhook.reviewVersions);
  if (version === undefined)
    throw new CallingWebhookError(
      webhook.name,
      'could not create admission objects: webhook does not accept known AdmissionReview versions (v1, v1beta1)',
      400,
    );
  const review = await run(admissionReview(version, versioned, match));
  activeSpan()?.set({ UID: review.uid });
  const sentMs = performance.now();
  const sending = send(mutating ? clients.mutating : clients.validating, webhook, review.text, attributes);
  const body = await sending.finally(() => noteMs?.(performance.now() - sentMs));
  spanEvent('Request completed');
  const answer = await run(decodeReview(body, version, reviewType)).catch((error: unknown) =>
    Promise.reject(new CallingWebhookError(webhook.name, `failed to call webhook: ${messageOf(error)}`)),
  );
  let response: AdmissionResponse;
  try {
    response = verifyReview(answer, review, mutating);
  } catch (error) {
    throw new CallingWebhookError(webhook.name, `received invalid webhook response: ${messageOf(error)}`);
  }
  await run(passOn(response, webhook, attributes));
  if (!response.allowed) throw webhookDenial(webhook.name, response.result);
  return response;
}

/** What a webhook wants to be told. */
function* passOn(
  { auditAnnotations, warnings }: AdmissionResponse,
  { name }: AdmissionWebhook,
  attributes: AdmissionAttributes,
): Steps<void> {
  for (const [key, value] of Object.entries(auditAnnotations)) {
    if (typeof value === 'string') addAnnotation(attributes, `${name}/${key}`, value);
    if (sliceIsOver()) yield;
  }
  for (const text of warnings) {
    if (typeof text === 'string') attributes.addWarning(text);
    if (sliceIsOver()) yield;
  }
}

function checkSideEffects({ name, sideEffects }: AdmissionWebhook, { dryRun }: AdmissionAttributes): void {
  if (!dryRun || sideEffects === 'None' || sideEffects === 'NoneOnDryRun') return;
  if (sideEffects === '') throw new CallingWebhookError(name, 'Webhook SideEffects is nil', 400);
  throw withoutDryRun(name);
}

/** Small reviews are made at once; a large one lets other requests run. */
async function run<T>(steps: Steps<T>): Promise<T> {
  return await inRequestSlices(steps);
}

/** Timers may fire so much early. */
const timerErrorMs = 2;

/** A webhook has no longer than its request, and no longer than the client waits. */
async function send(
  client: WebhookClient,
  webhook: AdmissionWebhook,
  text: string,
  attributes: AdmissionAttributes,
): ReturnType<WebhookClient['call']> {
  const { deadlineMs = Number.POSITIVE_INFINITY } = attributes;
  const left = deadlineMs - performance.now();
  const timeoutMs = Math.max(1, Math.min(webhook.timeoutMs, left));
  const target = targetOf(webhook);
  try {
    return await client.call(target, text, { timeoutMs, signal: untilClosed(attributes) });
  } catch (error) {
    if (!(error instanceof WebhookCallError)) throw error;
    // The error of a call that the request's deadline ended is that of the deadline.
    if (deadlineMs - performance.now() < timerErrorMs) await sleep(timerErrorMs);
    for (const annotation of certificateAnnotations(error.message, new URL(target.origin).hostname))
      attributes.addAuditAnnotation(...annotation);
    const place = error.details.isUnusable === true ? 'could not get REST client' : 'failed to call webhook';
    throw new CallingWebhookError(webhook.name, `${place}: ${error.message}`, codeOf(error));
  }
}

/** Aborts when the client disconnects, with the reason of the reference's contexts. */
function untilClosed({ exchange }: AdmissionAttributes): AbortSignal | undefined {
  if (exchange === undefined) return undefined;
  const ending = new AbortController();
  const end = (): void => ending.abort(new Error('context canceled'));
  exchange.onClose(end);
  if (exchange.closed) end();
  return ending.signal;
}

function codeOf({ details: { code, isUnusable } }: WebhookCallError): number {
  return isUnusable === true ? 500 : (code ?? 503);
}

/** A configuration that names no place is refused when it is written: the name twice is upstream's text. */
function targetOf({ name, clientConfig }: AdmissionWebhook): WebhookTarget {
  try {
    return webhookTarget(clientConfig);
  } catch (error) {
    const { message } = new CallingWebhookError(name, messageOf(error));
    throw new CallingWebhookError(name, `could not get REST client: ${message}`, 500);
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
