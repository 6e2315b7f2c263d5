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

/** The error of a request that a webhook has denied, whatever Status it sent. */
export function webhookDenial(webhook: string, result: JsonObject | undefined): StatusError {
  const denied = `admission webhook ${goQuote(webhook)} denied the request`;
  const code = numberAt(result, 'code') ?? 0;
  const said = stringAt(result, 'message') || stringAt(result, 'reason');
  const message = said === '' ? `${denied} without explanation` : `${denied}: ${said}`;
  return new StatusError({
    ...failureStatus(code < 400 ? 400 : code, stringAt(result, 'reason'), message),
    ...(typeof result?.['details'] === 'object'
      ? { details: result['details'] as NonNullable<Status['details']> }
      : {}),
  });
}

/** The error of a dry run whose webhook has side effects. */
export function withoutDryRun(webhook: string): StatusError {
  return newBadRequest(`admission webhook ${goQuote(webhook)} does not support dry run`);
}
