import type { AdmissionAttributes, AdmissionRounds } from '#shared/admission/contract/admission.ts';
import type { ResourceMatch } from '#shared/admission/contract/object-versions.ts';
import { mostChangedPaths, outcomeOfRule } from '#shared/admission/contract/recorded-rules.ts';
import { newInternalError } from '#shared/apimachinery/errors/status.ts';
import { stringAt } from '#shared/apimachinery/object.ts';
import type { JsonPatch } from '#shared/apimachinery/patch/json-patch.ts';
import { goQuote } from '#shared/apimachinery/text/go-format.ts';
import type { AdmissionStep } from '#shared/request/admission-step.ts';
import { inRequestSlices } from '#shared/request/in-request-slices.ts';
import { timed } from '#shared/request/timed.ts';
import type { AdmissionWebhook } from './admission-webhook.ts';
import { applyWebhookPatch, readWebhookPatch, webhookPatchText } from './apply-webhook-patch.ts';
import { CallAnnotations } from './audit-annotations.ts';
import { callWebhook } from './call-webhook.ts';
import type { WebhookMatcher } from './match-webhook.ts';
import { MutationRounds } from './mutation-rounds.ts';
import { CallingWebhookError, codeOfDenial } from './webhook-failure.ts';
import { countCall } from './webhook-metrics.ts';
import { overdue, WebhookPlugin } from './webhook-plugin.ts';

const pluginName = 'MutatingAdmissionWebhook';

interface CallOutcome {
  /** The operations that have changed the object. */
  readonly patch: JsonPatch;
  readonly error?: unknown;
}

/** Calls the webhooks of MutatingWebhookConfigurations, one after the other, and applies their patches. */
export class MutatingAdmissionWebhook extends WebhookPlugin {
  readonly name = pluginName;

  async admit(attributes: AdmissionAttributes, rounds: AdmissionRounds): Promise<void> {
    const webhooks = await this.webhooksFor(attributes);
    if (webhooks.length === 0) return;
    const mutation = MutationRounds.of(pluginName, rounds);
    await inRequestSlices(mutation.begin(attributes));
    const matcher = this.matcher(attributes);
    const { recorder, audit } = attributes;
    try {
      for (const { webhook, index } of webhooks) {
        const match = await matcher.match(webhook);
        if (match === undefined || !mutation.mayCall(webhook)) continue;
        const annotations = new CallAnnotations(attributes, rounds.isSecond ? 1 : 0, index, webhook);
        const startedMs = performance.now();
        const outcome = await timed(audit, 'mutating-webhook', this.#call(webhook, match, matcher, annotations));
        countCall(webhook, 'admit', attributes.operation, startedMs, outcome.error);
        mutation.called(webhook, outcome.patch.length > 0);
        recorder?.record({ ...stepOf(webhook, outcome), ms: performance.now() - startedMs });
        if (outcome.error !== undefined) failOrGoOn(webhook, attributes, outcome.error, annotations);
      }
    } finally {
      await inRequestSlices(mutation.end(attributes));
    }
  }

  async #call(
    webhook: AdmissionWebhook,
    match: ResourceMatch,
    matcher: WebhookMatcher,
    annotations: CallAnnotations,
  ): Promise<CallOutcome> {
    let patch: JsonPatch = [];
    try {
      patch = await this.#callAndApply(webhook, match, matcher, annotations);
      return { patch };
    } catch (error) {
      return { patch, error };
    } finally {
      annotations.mutated(patch.length > 0);
    }
  }

  /** Returns the operations that have changed the object. */
  async #callAndApply(
    webhook: AdmissionWebhook,
    match: ResourceMatch,
    matcher: WebhookMatcher,
    annotations: CallAnnotations,
  ): Promise<JsonPatch> {
    const versioned = await inRequestSlices(matcher.versions.of(match.kind));
    const { patch, patchType, result } = await callWebhook(this.caller, {
      webhook,
      match,
      versioned,
      mutating: true,
    });
    if (patch === '') return [];
    const operations = await inRequestSlices(readWebhookPatch(patch)).catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error);
      throw new CallingWebhookError(webhook.name, `received undecodable patch in webhook response: ${reason}`);
    });
    if (operations.length === 0) return [];
    if (versioned.object === undefined)
      throw newInternalError(
        `admission webhook ${goQuote(webhook.name)} attempted to modify the object, which is not supported for this operation`,
      );
    if (patchType !== 'JSONPatch')
      throw new CallingWebhookError(webhook.name, `unsupported patch type ${goQuote(patchType)}`, codeOfDenial(result));
    const { object, changed } = await inRequestSlices(applyWebhookPatch(versioned, versioned.object, operations));
    annotations.patched(await inRequestSlices(webhookPatchText(operations)));
    await inRequestSlices(matcher.versions.take(object, match.kind));
    return changed ? operations : [];
  }
}

function stepOf(webhook: AdmissionWebhook, { patch, error }: CallOutcome): Omit<AdmissionStep, 'ms'> {
  return {
    phase: 'mutating',
    plugin: pluginName,
    rule: `${webhook.configuration}/${webhook.name}`,
    ...outcomeOfRule(error, error instanceof CallingWebhookError && webhook.failurePolicy === 'Ignore'),
    changed: patch
      .slice(0, mostChangedPaths)
      .flatMap((operation) => (stringAt(operation, 'op') === 'test' ? [] : stringAt(operation, 'path'))),
  };
}

function failOrGoOn(
  webhook: AdmissionWebhook,
  attributes: AdmissionAttributes,
  error: unknown,
  annotations: CallAnnotations,
): void {
  if (!(error instanceof CallingWebhookError)) throw error;
  if (webhook.failurePolicy !== 'Ignore') throw newInternalError(error.message);
  annotations.failedOpen('mutation');
  const late = overdue(attributes);
  if (late !== undefined) throw late;
}
