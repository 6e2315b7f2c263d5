import { failureStatus, newBadRequest, StatusError, type Status } from '#shared/apimachinery/errors/status.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { numberAt, stringAt } from '#shared/apimachinery/object.ts';
import { goQuote } from '#shared/apimachinery/text/go-format.ts';

/** A webhook could not be asked, so that its failure policy decides. */
export class CallingWebhookError extends Error {
  override readonly name = 'CallingWebhookError';
  /** As what it is counted: the code of the webhook's answer, or of the reason. */
  readonly code: number;

  constructor(webhook: string, reason: string, code = 503) {
    super(`failed calling webhook ${goQuote(webhook)}: ${reason}`);
    this.code = code;
  }
}

/** A webhook has denied the request. */
export class WebhookDenial extends StatusError {}

/** The error of a request that a webhook has denied: the Status that it sent, which is never one of a success. */
export function webhookDenial(webhook: string, result: JsonObject = {}): WebhookDenial {
  const denied = `admission webhook ${goQuote(webhook)} denied the request`;
  const [status, reason] = [stringAt(result, 'status'), stringAt(result, 'reason')];
  const said = stringAt(result, 'message') || reason;
  const message = said === '' ? `${denied} without explanation` : `${denied}: ${said}`;
  const sent = result as Partial<Status>;
  return new WebhookDenial({
    ...failureStatus(codeOfDenial(result), reason, message, sent.details),
    ...(sent.metadata === undefined ? {} : { metadata: sent.metadata }),
    ...(status === '' || status === 'Success' ? {} : { status: status as Status['status'] }),
  });
}

/** The code that a webhook refuses with. */
export function codeOfDenial(result: JsonObject = {}): number {
  const code = numberAt(result, 'code') ?? 0;
  return code < 400 ? 400 : code;
}

/** The error of a dry run whose webhook has side effects. */
export function withoutDryRun(webhook: string): StatusError {
  return newBadRequest(`admission webhook ${goQuote(webhook)} does not support dry run`);
}
