import type { ApiClient } from '#servers/controllers/client/api-client.ts';
import type { ClientRequest } from './client/public-types.ts';

/** So many of each are read by a person. */
const mostLines = 25;

/** The fields of an Event that are told (core/v1). */
interface ToldEvent {
  readonly type?: string;
  readonly reason?: string;
  readonly message?: string;
  readonly eventTime?: string | null;
  readonly lastTimestamp?: string | null;
  readonly metadata: { readonly namespace?: string; readonly creationTimestamp?: string };
  readonly involvedObject: { readonly kind?: string; readonly name?: string };
}

/**
 * Tells what happened last in a cluster, for a test that failed.
 * @param requests undefined where they are not recorded
 */
export async function tellLast(client: ApiClient, requests: readonly ClientRequest[] | undefined): Promise<string> {
  const { items } = await client.send<{ readonly items: readonly ToldEvent[] }>({
    method: 'GET',
    path: '/api/v1/events',
  });
  const events = items.toSorted((a, b) => timeOf(a).localeCompare(timeOf(b))).map(eventLine);
  const asked = requests?.map(
    ({ method, path, code, userAgent }) => `${code ?? '...'} ${method} ${path} (${userAgent})`,
  );
  return [...(asked === undefined ? [] : section('requests of clients', asked)), ...section('events', events)].join(
    '\n',
  );
}

function section(what: string, lines: readonly string[]): readonly string[] {
  if (lines.length === 0) return [`The cluster has no ${what}.`];
  return [`The last ${what}, of ${lines.length}:`, ...lines.slice(-mostLines).map((line) => `  ${line}`)];
}

/** As `kubectl get events` does, by the time at which it was last seen. */
function timeOf({ eventTime, lastTimestamp, metadata }: ToldEvent): string {
  return lastTimestamp ?? eventTime ?? metadata.creationTimestamp ?? '';
}

function eventLine(event: ToldEvent): string {
  const { type = '', reason = '', message = '', metadata, involvedObject } = event;
  const object = [metadata.namespace, involvedObject.kind, involvedObject.name].filter(Boolean).join('/');
  return [timeOf(event), type, reason, object, message].filter((part) => part !== '').join(' ');
}
