import type { GroupKind, GroupResource } from '#shared/apimachinery/gvk.ts';
import { formatGroupKind, formatGroupResource } from '#shared/apimachinery/gvk.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import type { ListMeta } from '#shared/apimachinery/object.ts';
import { goQuote, writtenBytes } from '#shared/apimachinery/text/go-format.ts';
import type { FieldError } from './field-error.ts';
import { aggregateMessages, fieldErrorBody } from './field-error.ts';
import { genericServerMessage } from './status-messages.ts';

/** `metav1.StatusCause`. */
export interface StatusCause extends JsonObject {
  reason?: string;
  message?: string;
  field?: string;
}

/** `metav1.StatusDetails`. */
export interface StatusDetails extends JsonObject {
  name?: string;
  group?: string;
  kind?: string;
  uid?: string;
  causes?: StatusCause[];
  retryAfterSeconds?: number;
}

/** `metav1.Status`, with its keys in canonical order. */
export interface Status extends JsonObject {
  kind: 'Status';
  apiVersion: 'v1';
  metadata: ListMeta;
  status: 'Success' | 'Failure';
  message?: string;
  reason?: string;
  details?: StatusDetails;
  code: number;
}

/** An error with the Status of its response. Texts equal the reference's (apimachinery/pkg/api/errors). */
export class StatusError extends Error {
  readonly status: Status;

  constructor(status: Status, options?: ErrorOptions) {
    super(status.message ?? '', options);
    this.name = 'StatusError';
    this.status = status;
  }

  /** Seconds for the `Retry-After` header; undefined where the Status names none. */
  get retryAfterSeconds(): number | undefined {
    return this.status.details?.retryAfterSeconds;
  }

  get code(): number {
    return this.status.code;
  }

  get reason(): string {
    return this.status.reason ?? '';
  }
}

/** A failure Status; empty reason, message and details are left out. */
export function failureStatus(code: number, reason: string, message: string, details?: StatusDetails): Status {
  const status: JsonObject = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure' };
  if (message !== '') status['message'] = message;
  if (reason !== '') status['reason'] = reason;
  if (details !== undefined) status['details'] = details;
  status['code'] = code;
  return status as Status;
}

/** The 500 without a reason that clients get where the reference returns a plain error. */
export function plainFailure(message: string): StatusError {
  return failure(500, '', message);
}

function failure(code: number, reason: string, message: string, details?: StatusDetails): StatusError {
  return new StatusError(failureStatus(code, reason, message, details));
}

/** Details with Go's omitempty: empty strings, zero and empty lists are left out. */
function statusDetails(
  name: string,
  group: string,
  kind: string,
  causes: StatusCause[] = [],
  retryAfterSeconds = 0,
): StatusDetails {
  return {
    ...(name === '' ? {} : { name }),
    ...(group === '' ? {} : { group }),
    ...(kind === '' ? {} : { kind }),
    ...(causes.length === 0 ? {} : { causes }),
    ...(retryAfterSeconds === 0 ? {} : { retryAfterSeconds }),
  };
}

function resourceDetails(gr: GroupResource, name: string, retryAfterSeconds = 0): StatusDetails {
  return statusDetails(name, gr.group, gr.resource, [], retryAfterSeconds);
}

function cause(reason: string, message: string, field = ''): StatusCause {
  return {
    ...(reason === '' ? {} : { reason }),
    ...(message === '' ? {} : { message }),
    ...(field === '' ? {} : { field }),
  };
}

export function newNotFound(gr: GroupResource, name: string): StatusError {
  return failure(404, 'NotFound', `${formatGroupResource(gr)} ${goQuote(name)} not found`, resourceDetails(gr, name));
}

export function newAlreadyExists(gr: GroupResource, name: string): StatusError {
  return failure(
    409,
    'AlreadyExists',
    `${formatGroupResource(gr)} ${goQuote(name)} already exists`,
    resourceDetails(gr, name),
  );
}

export function newGenerateNameConflict(gr: GroupResource, name: string, retryAfterSeconds: number): StatusError {
  const message = `${formatGroupResource(gr)} ${goQuote(name)} already exists, the server was not able to generate a unique name for the object`;
  return failure(409, 'AlreadyExists', message, resourceDetails(gr, name, retryAfterSeconds));
}

export function newConflict(gr: GroupResource, name: string, message: string): StatusError {
  const text = `Operation cannot be fulfilled on ${formatGroupResource(gr)} ${goQuote(name)}: ${message}`;
  return failure(409, 'Conflict', text, resourceDetails(gr, name));
}

/** Conflict of server-side apply: one cause a field. */
export function newApplyConflict(causes: StatusCause[], message: string): StatusError {
  return failure(409, 'Conflict', message, statusDetails('', '', '', causes));
}

/** 422 with one cause an error, in the order of the list. */
export function newInvalid(gk: GroupKind, name: string, errors: readonly FieldError[]): StatusError {
  const told = reportedErrors(errors);
  const causes = told.map(({ type, message, field }) => cause(type, message, field));
  const texts = told.map(({ message, field }) => `${field}: ${message}`);
  if (told.length < errors.length) texts.push(`${errors.length - told.length} more errors are not shown`);
  const text = `${formatGroupKind(gk)} ${goQuote(name)} is invalid`;
  const message = errors.length === 0 ? text : `${text}: ${aggregateMessages(texts)}`;
  return failure(422, 'Invalid', message, statusDetails(name, gk.group, gk.kind, causes));
}

/**
 * Most bytes that errors take in a response, in which the text and field of each are both a cause and part of the
 * message. The reference sends all of them whole, or answers 504 when that takes too long.
 */
const maxErrorBytes = 1024 * 1024;
/** Of a cause and of its place in the message, besides text and field. */
const bytesAroundError = 80;
/** Of one text, which may hold a value of 3 MB, or the path of one. */
const maxTextBytes = maxErrorBytes / 4 - bytesAroundError;

interface ReportedError {
  readonly type: string;
  readonly message: string;
  readonly field: string;
}

/** The first errors, up to that limit. */
function reportedErrors(errors: readonly FieldError[]): ReportedError[] {
  const told: ReportedError[] = [];
  let bytes = 0;
  for (const error of errors) {
    const [message, field] = [shortened(fieldErrorBody(error)), shortened(error.field)];
    bytes += 2 * (writtenBytes(message) + writtenBytes(field)) + bytesAroundError;
    if (bytes > maxErrorBytes && told.length > 0) break;
    told.push({ type: error.type, message, field });
  }
  return told;
}

/** The beginning of a text that is too long to be sent. */
function shortened(text: string): string {
  const bytes = writtenBytes(text);
  if (bytes <= maxTextBytes) return text;
  const shown = text.slice(0, Math.floor((text.length * maxTextBytes) / bytes)).toWellFormed();
  return `${shown}… (${text.length - shown.length} more characters are not shown)`;
}

export function newBadRequest(message: string): StatusError {
  return failure(400, 'BadRequest', message);
}

export function newUnauthorized(message: string): StatusError {
  return failure(401, 'Unauthorized', message === '' ? 'not authorized' : message);
}

export function newForbidden(gr: GroupResource, name: string, message: string): StatusError {
  const head = isEmpty(gr)
    ? 'forbidden'
    : `${formatGroupResource(gr)}${name === '' ? '' : ` ${goQuote(name)}`} is forbidden`;
  return failure(403, 'Forbidden', `${head}: ${message}`, resourceDetails(gr, name));
}

function isEmpty(gr: GroupResource): boolean {
  return gr.group === '' && gr.resource === '';
}

export function newMethodNotSupported(gr: GroupResource, action: string): StatusError {
  const message = `${action} is not supported on resources of kind ${goQuote(formatGroupResource(gr))}`;
  return failure(405, 'MethodNotAllowed', message, resourceDetails(gr, ''));
}

/** 410 Expired: the resourceVersion or continue token is too old. */
export function newResourceExpired(message: string): StatusError {
  return failure(410, 'Expired', message);
}

/** 504; with `retryAfterSeconds` 0 the Status has none. */
export function newTimeout(message: string, retryAfterSeconds: number): StatusError {
  return failure(504, 'Timeout', `Timeout: ${message}`, statusDetails('', '', '', [], retryAfterSeconds));
}

/** 500 ServerTimeout: the operation may be tried again. */
export function newServerTimeout(gr: GroupResource, operation: string, retryAfterSeconds: number): StatusError {
  const message = `The ${operation} operation against ${formatGroupResource(gr)} could not be completed at this time, please try again.`;
  return failure(500, 'ServerTimeout', message, resourceDetails(gr, operation, retryAfterSeconds));
}

/** 429 with the message as it is. */
export function newTooManyRequests(message: string, retryAfterSeconds: number): StatusError {
  return failure(429, 'TooManyRequests', message, statusDetails('', '', '', [], retryAfterSeconds));
}

/** 500 `Internal error occurred: …`; the message is the only cause. */
export function newInternalError(message: string): StatusError {
  return failure(500, 'InternalError', `Internal error occurred: ${message}`, { causes: [cause('', message)] });
}

export function newServiceUnavailable(message: string): StatusError {
  return failure(503, 'ServiceUnavailable', message);
}

export function newRequestEntityTooLarge(message: string): StatusError {
  return failure(413, 'RequestEntityTooLarge', `Request entity too large: ${message}`);
}

/** 415; `accepted` in the order in which the server offers them. */
export function newUnsupportedMediaType(accepted: readonly string[]): StatusError {
  const message = `the body of the request was in an unknown format - accepted media types include: ${accepted.join(', ')}`;
  return failure(415, 'UnsupportedMediaType', message);
}

/** 406; with `target` for a transformation (`meta.k8s.io/v1, Kind=Table`) that the accepted types do not allow. */
export function newNotAcceptable(accepted: readonly string[], target?: string): StatusError {
  const when = target === undefined ? '' : ` when converting to ${target}`;
  return failure(406, 'NotAcceptable', `only the following media types are accepted${when}: ${accepted.join(', ')}`);
}

/** 504 for a read at a version that the cache has not reached. */
export function newTooLargeResourceVersion(
  minimum: number | bigint,
  current: number | bigint,
  retryAfterSeconds: number,
): StatusError {
  const message = `Timeout: Too large resource version: ${minimum}, current: ${current}`;
  const causes = [cause('ResourceVersionTooLarge', 'Too large resource version')];
  return failure(504, 'Timeout', message, statusDetails('', '', '', causes, retryAfterSeconds));
}

/** The error for a response of HTTP `code` without a Status (`NewGenericServerResponse`). */
export function newGenericServerResponse(
  code: number,
  serverMessage = '',
  gr: GroupResource = { group: '', resource: '' },
  name = '',
): StatusError {
  // The text has no verb before the resource: where the server creates such an error, the reference has none.
  const { reason, message } = genericServerMessage(code, '', serverMessage);
  const target = isEmpty(gr) ? '' : ` (${['', formatGroupResource(gr), ...(name === '' ? [] : [name])].join(' ')})`;
  return failure(code, reason, message + target, statusDetails(name, gr.group, gr.resource, [], 0));
}

/** True for a StatusError of this reason. */
export function hasReason(error: unknown, reason: string): error is StatusError {
  return error instanceof StatusError && error.status.reason === reason;
}

/**
 * The Status of the response to an error; any error but a StatusError is a 500 with its message and no reason. A
 * RangeError of V8 means that the stack overflowed or a string became too long; a RangeError of Node.js has a `code`
 * and another meaning.
 */
export function toStatus(error: unknown): Status {
  if (error instanceof StatusError) return error.status;
  if (error instanceof RangeError && !('code' in error))
    return newInternalError(`the object is nested too deep, or too large, for this server: ${error.message}`).status;
  return failureStatus(500, '', error instanceof Error ? error.message : String(error));
}
