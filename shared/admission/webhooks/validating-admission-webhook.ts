import type { AdmissionAttributes } from '#shared/admission/contract/admission.ts';
import { outcomeOfRule } from '#shared/admission/contract/recorded-rules.ts';
import { newInternalError } from '#shared/apimachinery/errors/status.ts';
import type { AdmissionStep } from '#shared/request/admission-step.ts';
import { inRequestSlices } from '#shared/request/in-request-slices.ts';
import { timed } from '#shared/request/timed.ts';
import type { AdmissionWebhook } from './admission-webhook.ts';
import { CallAnnotations } from './audit-annotations.ts';
import { callWebhook, type WebhookQuestion } from './call-webhook.ts';
import { CallingWebhookError } from './webhook-failure.ts';
import { countCall } from './webhook-metrics.ts';
import { overdue, WebhookPlugin } from './webhook-plugin.ts';

/** Calls the webhooks of ValidatingWebhookConfigurations side by side; each of them can deny the request. */
export class ValidatingAdmissionWebhook extends WebhookPlugin {
  readonly name = 'ValidatingAdmissionWebhook';

  async validate(attributes: AdmissionAttributes): Promise<void> {
    const webhooks = await this.webhooksFor(attributes);
    if (webhooks.length === 0) return;
    const matcher = this.matcher(attributes);
    const questions: WebhookQuestion[] = [];
    let longestMs = 0;
    const noteMs = (ms: number): void => void (longestMs = Math.max(longestMs, ms));
    for (const { webhook } of webhooks) {
      const match = await matcher.match(webhook);
      if (match === undefined) continue;
      const versioned = await inRequestSlices(matcher.versions.of(match.kind));
      questions.push({ webhook, match, versioned, mutating: false, noteMs });
    }
    if (questions.length === 0) return;
    const late = overdue(attributes);
    if (late !== undefined) throw late;
    await this.#askAll(questions, attributes).finally(() => attributes.noteWebhookMs?.(longestMs));
    // The webhooks that the deadline ended said nothing, whatever their failure policies are.
    const ended = overdue(attributes);
    if (ended !== undefined) throw ended;
  }

  /** Waits for all answers; the first refusal in time is told. */
  async #askAll(questions: readonly WebhookQuestion[], attributes: AdmissionAttributes): Promise<void> {
    let refusal: Error | undefined;
    const { recorder, audit } = attributes;
    const ask = async (question: WebhookQuestion, index: number): Promise<void> => {
      const { webhook } = question;
      const startedMs = performance.now();
      try {
        await timed(audit, 'validating-webhook', callWebhook(this.caller, question));
        countCall(webhook, 'validating', attributes.operation, startedMs, undefined);
        recorder?.record(this.#stepOf(webhook, startedMs));
      } catch (error) {
        countCall(webhook, 'validating', attributes.operation, startedMs, error);
        recorder?.record(this.#stepOf(webhook, startedMs, error));
        if (!(error instanceof CallingWebhookError)) refusal ??= error as Error;
        else if (webhook.failurePolicy !== 'Ignore') refusal ??= newInternalError(error.message);
        else new CallAnnotations(attributes, 0, index, webhook).failedOpen('validating');
      }
    };
    await Promise.all(questions.map(ask));
    if (refusal !== undefined) throw refusal;
  }

  #stepOf(webhook: AdmissionWebhook, startedMs: number, error?: unknown): AdmissionStep {
    return {
      phase: 'validating',
      plugin: this.name,
      rule: `${webhook.configuration}/${webhook.name}`,
      ...outcomeOfRule(error, error instanceof CallingWebhookError && webhook.failurePolicy === 'Ignore'),
      ms: performance.now() - startedMs,
      changed: [],
    };
  }
}
