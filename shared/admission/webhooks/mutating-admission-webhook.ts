import type { AdmissionAttributes, AdmissionRounds } from '#shared/admission/contract/admission.ts';
import type { ResourceMatch } from '#shared/admission/contract/object-versions.ts';
import { newInternalError } from '#shared/apimachinery/errors/status.ts';
import { goQuote } from '#shared/apimachinery/text/go-format.ts';
import { inRequestSlices } from '#shared/request/in-request-slices.ts';
import type { AdmissionWebhook } from './admission-webhook.ts';
import { applyWebhookPatch, readWebhookPatch } from './apply-webhook-patch.ts';
import { CallAnnotations } from './audit-annotations.ts';
import { callWebhook } from './call-webhook.ts';
import type { WebhookMatcher } from './match-webhook.ts';
import { MutationRounds } from './mutation-rounds.ts';
import { CallingWebhookError } from './webhook-failure.ts';
import { overdue, WebhookPlugin } from './webhook-plugin.ts';

const pluginName = 'MutatingAdmissionWebhook';

/** Calls the webhooks of MutatingWebhookConfigurations, one after the other, and applies their patches. */
export class MutatingAdmissionWebhook extends WebhookPlugin {
  readonly name = pluginName;

  async admit(attributes: AdmissionAttributes, rounds: AdmissionRounds): Promise<void> {
    const webhooks = await this.webhooksFor(attributes);
    if (webhooks.length === 0) return;
    const mutation = MutationRounds.of(pluginName, rounds);
    await inRequestSlices(mutation.begin(attributes));
    const matcher = this.matcher(attributes);
    try {
      for (const { webhook, index } of webhooks) {
        const match = await matcher.match(webhook);
        if (match === undefined || !mutation.mayCall(webhook)) continue;
        const annotations = new CallAnnotations(attributes, rounds.isSecond ? 1 : 0, index, webhook);
        const outcome = await this.#call(webhook, match, matcher, annotations);
        mutation.called(webhook, outcome.changed);
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
  ): Promise<{ readonly changed: boolean; readonly error?: unknown }> {
    let changed = false;
    try {
      changed = await this.#callAndApply(webhook, match, matcher, annotations);
      return { changed };
    } catch (error) {
      return { changed, error };
    } finally {
      annotations.mutated(changed);
    }
  }

  async #callAndApply(
    webhook: AdmissionWebhook,
    match: ResourceMatch,
    matcher: WebhookMatcher,
    annotations: CallAnnotations,
  ): Promise<boolean> {
    const versioned = await inRequestSlices(matcher.versions.of(match.kind));
    const { patch, patchType } = await callWebhook(this.caller, {
      webhook,
      match,
      versioned,
      mutating: true,
    });
    if (patch === '') return false;
    const decoded = await inRequestSlices(readWebhookPatch(patch)).catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error);
      throw new CallingWebhookError(webhook.name, `received undecodable patch in webhook response: ${reason}`);
    });
    if (decoded.operations.length === 0) return false;
    if (versioned.object === undefined)
      throw newInternalError(
        `admission webhook ${goQuote(webhook.name)} attempted to modify the object, which is not supported for this operation`,
      );
    if (patchType !== 'JSONPatch')
      throw new CallingWebhookError(webhook.name, `unsupported patch type ${goQuote(patchType)}`);
    const { object, changed } = await inRequestSlices(applyWebhookPatch(versioned, versioned.object, decoded));
    annotations.patched(decoded.text);
    await inRequestSlices(matcher.versions.take(object, match.kind));
    return changed;
  }
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
