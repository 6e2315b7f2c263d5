import type { Buffer } from 'node:buffer';
import { newGenericServerResponse, type Status } from '#shared/apimachinery/errors/status.ts';
import { isObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import type { CollectedAnswer } from '#shared/request/collect-answer.ts';
import { WebhookCallError } from './webhook-call-error.ts';

/** How much of an answer without a Status is shown. */
const maxShownBytes = 2048;
/** Larger bodies of errors are not looked at for a Status. */
const maxStatusBytes = 1024 * 1024;

/**
 * The body of a successful answer.
 * @throws WebhookCallError in the words of client-go for an answer that is an error, or empty
 */
export function webhookAnswer({ status: code, headers, body }: CollectedAnswer): Buffer {
  const sent = headers['content-type'];
  const contentType = typeof sent === 'string' ? sent : '';
  if (code < 200 || code > 206) {
    const status = statusOf(body) ?? newGenericServerResponse(code, shownText(contentType, body)).status;
    throw new WebhookCallError(status.message ?? '', { code: status.code ?? code });
  }
  if (body.length === 0) {
    const shown = contentType === '' ? 'application/json' : contentType;
    throw new WebhookCallError(`0-length response with status code: ${code} and content type: ${shown}`);
  }
  return body;
}

function shownText(contentType: string, body: Buffer): string {
  if (contentType !== '' && !/^\s*text\//i.test(contentType)) return 'unknown';
  return body.subarray(0, maxShownBytes).toString('utf8').trim();
}

/** The Status that an answer carries; undefined if it carries none, or one that tells no failure. */
function statusOf(body: Buffer): Status | undefined {
  if (body.length > maxStatusBytes || !body.includes('"Status"')) return undefined;
  let value: JsonValue;
  try {
    value = JSON.parse(body.toString('utf8')) as JsonValue;
  } catch {
    return undefined;
  }
  if (!isObject(value) || value['kind'] !== 'Status' || value['status'] !== 'Failure') return undefined;
  return value as Status;
}
