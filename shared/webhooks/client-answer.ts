import type { Buffer } from 'node:buffer';
import { newGenericServerResponse, StatusError, type Status } from '#shared/apimachinery/errors/status.ts';
import { isObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import { numberAt } from '#shared/apimachinery/object.ts';
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
export function webhookAnswer(answer: CollectedAnswer): Buffer {
  const contentType = contentTypeOf(answer);
  const unreadable = contentType === '' ? undefined : contentTypeError(contentType);
  if (unreadable !== undefined) throw new WebhookCallError(`Internal error occurred: ${unreadable}`, { code: 500 });
  const fault = errorOfAnswer(answer);
  if (fault !== undefined) throw new WebhookCallError(fault.message, { code: fault.code || answer.status });
  if (answer.body.length > 0) return answer.body;
  const shown = contentType === '' ? 'application/json' : contentType;
  throw new WebhookCallError(`0-length response with status code: ${answer.status} and content type: ${shown}`);
}

/**
 * The error that an answer is, by its code: the Status that it carries, as it is sent (with code 0 where it names
 * none), or one of client-go for its text.
 */
export function errorOfAnswer(answer: CollectedAnswer): StatusError | undefined {
  const { status: code, body } = answer;
  if (code >= 200 && code <= 206) return undefined;
  const sent = statusOf(body);
  if (sent !== undefined) return new StatusError({ ...sent, code: numberAt(sent, 'code') ?? 0 });
  const { status } = newGenericServerResponse(code, shownText(contentTypeOf(answer), body));
  const pause = pauseOf(answer) ?? 0;
  const details = pause > 0 ? { ...status.details, retryAfterSeconds: pause } : status.details;
  return new StatusError({ ...status, ...(details && { details }) });
}

/** The first one, if there are several. */
export function contentTypeOf({ headers }: CollectedAnswer): string {
  const sent: string | string[] = headers['content-type'] ?? '';
  return typeof sent === 'string' ? sent : (sent[0] ?? '');
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
export function retryAfterSeconds(answer: CollectedAnswer): number | undefined {
  return answer.status === tooManyRequests || answer.status >= retriedFrom ? pauseOf(answer) : undefined;
}

/** The whole number in `Retry-After`, in seconds. */
function pauseOf({ headers: { 'retry-after': sent } }: CollectedAnswer): number | undefined {
  if (typeof sent !== 'string' || !/^[+-]?\d+$/.test(sent)) return undefined;
  const seconds = Number(sent);
  return Math.abs(seconds) < maxInt64 ? seconds : undefined;
}
