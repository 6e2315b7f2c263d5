import { isDeepStrictEqual } from 'node:util';
import { isObject, type JsonObject, type JsonValue } from '../../../shared/apimachinery/json.ts';
import type { JsonClient } from '../../json-client.ts';

export type Method = Parameters<JsonClient['call']>[0];

export interface Answer {
  readonly status: number;
  readonly body: JsonValue;
}

/** Both servers, asked the same; the reference may be missing. */
export class TwoServers {
  readonly #ours: JsonClient;
  readonly #theirs: JsonClient | undefined;
  readonly differences: string[] = [];
  compared = 0;

  constructor(ours: JsonClient, theirs: JsonClient | undefined) {
    this.#ours = ours;
    this.#theirs = theirs;
  }

  /**
   * Asks both and notes where they differ, or, without a reference, where the status is none of those that are
   * expected.
   */
  async ask(
    what: string,
    expected: readonly number[],
    ...[method, path, body, accept]: Parameters<JsonClient['call']>
  ): Promise<Answer> {
    const call = (server: JsonClient): Promise<Answer> => server.call(method, path, body, accept) as Promise<Answer>;
    const [ours, theirs] = await Promise.all([
      call(this.#ours),
      ...(this.#theirs === undefined ? [] : [call(this.#theirs)]),
    ]);
    this.compared++;
    if (theirs !== undefined) this.#compare(what, ours, theirs);
    const answered = theirs ?? ours;
    if (!expected.includes(answered.status))
      this.differences.push(
        `${what}: ${theirs ? 'the reference' : 'this server'} answered ${answered.status}: ${JSON.stringify(answered.body).slice(0, 600)}`,
      );
    return ours;
  }

  #compare(what: string, ours: Answer, theirs: Answer): void {
    const [a, b] = [normalize(ours.body), normalize(theirs.body)];
    if (ours.status !== theirs.status)
      this.differences.push(
        `${what}: ${ours.status} instead of ${theirs.status}\n    ${shown(a)}\n  instead of\n    ${shown(b)}`,
      );
    else if (!isDeepStrictEqual(a, b)) this.differences.push(`${what}: ${firstDifference(a, b, '')}`);
  }

  /** Notes a difference of what was found in another way. */
  equal(what: string, ours: JsonValue, theirs: JsonValue): void {
    this.compared++;
    if (!isDeepStrictEqual(ours, theirs)) this.differences.push(`${what}: ${firstDifference(ours, theirs, '')}`);
  }
}

const ofOneServer: ReadonlySet<string> = new Set([
  'uid',
  'creationTimestamp',
  'resourceVersion',
  'managedFields',
  'lastTransitionTime',
]);

/**
 * Without what differs from server to server and from time to time; causes and resources in one order, for the
 * reference has none.
 */
export function normalize(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map((item) => normalize(item));
  if (!isObject(value)) return value;
  const kept = Object.entries(value)
    .filter(([key]) => !ofOneServer.has(key))
    .map(([key, child]): [string, JsonValue] => {
      if (key === 'resources' && value['kind'] === 'APIResourceList' && Array.isArray(child))
        return [key, child.map((resource) => JSON.stringify(resource)).toSorted()];
      if (key === 'causes' && Array.isArray(child))
        return [key, child.map((cause) => JSON.stringify(cause)).toSorted()];
      if (key === 'message' && value['kind'] === 'Status' && typeof child === 'string')
        return [key, messageParts(child)];
      if (key === 'cells' && Array.isArray(child))
        return [
          key,
          child.map((cell) => (typeof cell === 'string' && /^\d+s$|^[1-5]m\d*s?$/.test(cell) ? 'AGE' : cell)),
        ];
      return [key, normalize(child)];
    });
  return Object.fromEntries(kept);
}

/** The parts of a message in one order: the reference lists some errors in the order of a Go map, which is random. */
function messageParts(message: string): string[] {
  return message.split(/, |: \[|\]$/).toSorted();
}

function firstDifference(a: JsonValue | undefined, b: JsonValue | undefined, at: string): string {
  if (isObject(a) && isObject(b)) {
    for (const key of new Set([...Object.keys(b), ...Object.keys(a)])) {
      if (!isDeepStrictEqual(a[key], b[key])) return firstDifference(a[key], b[key], `${at}.${key}`);
    }
  }
  if (Array.isArray(a) && Array.isArray(b) && a.length === b.length) {
    for (const [index, item] of a.entries())
      if (!isDeepStrictEqual(item, b[index])) return firstDifference(item, b[index], `${at}[${index}]`);
  }
  return `at ${at}:\n    ${shown(a)}\n  instead of\n    ${shown(b)}`;
}

function shown(value: JsonValue | JsonObject | undefined): string {
  return value === undefined ? 'nothing' : JSON.stringify(value).slice(0, 700);
}
