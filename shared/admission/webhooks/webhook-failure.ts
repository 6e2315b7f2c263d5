import { failureStatus, newBadRequest, StatusError, type Status } from '#shared/apimachinery/errors/status.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { numberAt, stringAt } from '#shared/apimachinery/object.ts';
import { goQuote } from '#shared/apimachinery/text/go-format.ts';

/** A webhook could not be asked, so that its failure policy decides. */
export class CallingWebhookError extends Error {
  override readonly name = 'CallingWebhookError';

  constructor(webhook: string, reason: string) {
    super(`failed calling webhook ${goQuote(webhook)}: ${reason}`);
  }
}

/** The error of a request that a webhook has denied: the Status that it sent, which is never one of a success. */
export function webhookDenial(webhook: string, result: JsonObject = {}): StatusError {
  const denied = `admission webhook ${goQuote(webhook)} denied the request`;
  const [code = 0, status, reason] = [numberAt(result, 'code'), stringAt(result, 'status'), stringAt(result, 'reason')];
  const said = stringAt(result, 'message') || reason;
  const message = said === '' ? `${denied} without explanation` : `${denied}: ${said}`;
  const sent = result as Partial<Status>;
  return new StatusError({
    ...failureStatus(code < 400 ? 400 : code, reason, message, sent.details),
    ...(sent.metadata === undefined ? {} : { metadata: sent.metadata }),
    ...(status === '' || status === 'Success' ? {} : { status: status as Status['status'] }),
  });
}

/** The error of a dry run whose webhook has side effects. */
export function withoutDryRun(webhook: string): StatusError {
  return newBadRequest(`admission webhook ${goQuote(webhook)} does not support dry run`);
}
