import type { JsonValue } from '#shared/apimachinery/json/json.ts';
import { stringAt } from '#shared/apimachinery/object.ts';
import type { Exchange, Sent } from '#test/compare/exchange.ts';

/** One request of a series. What it sends may hang on what the server answered before, on the same server. */
export interface Request {
  readonly method: string;
  readonly path: string | ((answers: readonly Exchange[]) => string);
  /** Sent as JSON unless it is a text. */
  readonly body?: JsonValue | ((answers: readonly Exchange[]) => JsonValue);
  readonly headers?:
    | Readonly<Record<string, string>>
    | ((answers: readonly Exchange[]) => Readonly<Record<string, string>>);
  /** Asked again until this holds or some seconds have passed: what a server does in its own time. */
  readonly until?: (answer: Exchange) => boolean;
}

/** Requests that lead to each other. `run` is part of every name that they make, so that they can be sent again. */
export interface Series {
  readonly name: string;
  readonly requests: (run: string) => readonly Request[];
  /** How often it is sent where the servers part; for answers that hang on what each server draws. */
  readonly attempts?: number;
}

const contentTypes: Readonly<Record<string, string>> = {
  POST: 'application/json',
  PUT: 'application/json',
  DELETE: 'application/json',
  PATCH: 'application/merge-patch+json',
};

/** How it goes over the wire. */
export function sentOf({ method, path, body, headers }: Request, answers: readonly Exchange[]): Sent {
  const content = typeof body === 'function' ? body(answers) : body;
  const type = content === undefined ? {} : { 'content-type': contentTypes[method] ?? 'application/json' };
  return {
    method,
    path: typeof path === 'function' ? path(answers) : path,
    headers: { accept: 'application/json', ...type, ...(typeof headers === 'function' ? headers(answers) : headers) },
    body: content === undefined || typeof content === 'string' ? content : JSON.stringify(content),
  };
}

/** A configuration that is applied; `query` has more than the manager. */
export function apply(path: string, manager: string, body: JsonValue, query = ''): Request {
  return {
    method: 'PATCH',
    path: `${path}?fieldManager=${manager}${query}`,
    headers: { 'content-type': 'application/apply-patch+yaml' },
    body,
  };
}

/** A read. */
export function get(path: string, headers?: Readonly<Record<string, string>>): Request {
  return { method: 'GET', path, ...(headers && { headers }) };
}

/**
 * Answered by the watch cache once it holds what the request before it stored. An update of the reference begins with
 * the object that the cache has (apiserver pkg/storage/cacher/delegator.go, GuaranteedUpdate), which may be none or an
 * older one in the moment after a write, and takes the stored one only when the write of what came of it fails.
 */
export function onceCached(path: string): Request {
  return {
    method: 'GET',
    path: (answers) =>
      `${path}?resourceVersion=${stringAt(answers.at(-1)?.body ?? null, 'metadata', 'resourceVersion')}`,
  };
}
