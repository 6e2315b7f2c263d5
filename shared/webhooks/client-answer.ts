import type { Buffer } from 'node:buffer';
import { newGenericServerResponse, type Status } from '#shared/apimachinery/errors/status.ts';
import { isObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import type { CollectedAnswer } from '#shared/request/collect-answer.ts';
import { contentTypeError } from './content-type.ts';
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
  const unreadable = contentType === '' ? undefined : contentTypeError(contentType);
  if (unreadable !== undefined) throw new WebhookCallError(`Internal error occurred: ${unreadable}`);
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

const retriedFrom = 500;
const tooManyRequests = 429;
const maxInt64 = 2 ** 63;

/**
 * How long an answer asks to wait before the request is sent again, in seconds: a whole number in `Retry-After` with a
 * code that says the server is away or busy. Undefined for other answers.
 */
export function retryAfterSeconds({ status, headers: { 'retry-after': sent } }: CollectedAnswer): number | undefined {
  if (status !== tooManyRequests && status < retriedFrom) return undefined;
  if (typeof sent !== 'string' || !/^[+-]?\d+$/.test(sent)) return undefined;
  const seconds = Number(sent);
  return Math.abs(seconds) < maxInt64 ? seconds : undefined;
}
