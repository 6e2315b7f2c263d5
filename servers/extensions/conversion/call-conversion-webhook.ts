import type { WebhookConversion } from '#servers/extensions/facts/definition-view.ts';
import { stringAt } from '#shared/apimachinery/object.ts';
import { childSpan, runSpan, spanEvent } from '#shared/spans/active-span.ts';
import { webhookTarget, type WebhookTarget } from '#shared/webhooks/client-config.ts';
import type { WebhookClient } from '#shared/webhooks/webhook-client.ts';
import type { CallConversionWebhook } from './resource-conversion.ts';

/** The reference gives every call of a webhook this time, by its HTTP client. */
const limits = {
  timeoutMs: 30_000,
  timeoutMessage: 'context deadline exceeded (Client.Timeout exceeded while awaiting headers)',
};

/** Calls the webhooks of definitions by a client. */
export function conversionCaller(client: WebhookClient): CallConversionWebhook {
  const targets = new WeakMap<WebhookConversion, WebhookTarget>();
  return (webhook, body) => {
    let target = targets.get(webhook);
    if (target === undefined) targets.set(webhook, (target = targetOf(webhook)));
    const span = childSpan('Call conversion webhook');
    if (span === undefined) return client.call(target, body, limits);
    return runSpan(span, async () => {
      const answer = await client.call(target, body, limits);
      spanEvent('Request completed');
      return answer;
    });
  };
}

/** As in the reference, a CA bundle of blanks counts as none. */
function targetOf({ clientConfig }: WebhookConversion): WebhookTarget {
  const caBundle = stringAt(clientConfig, 'caBundle');
  const isBlank = Buffer.from(caBundle, 'base64').toString('latin1').trim() === '';
  return webhookTarget(isBlank ? { ...clientConfig, caBundle: '' } : clientConfig);
}
