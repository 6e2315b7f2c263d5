import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import type { EventServer } from '#shared/audit/sinks/testing/event-server.ts';
import type { Side } from '#test/compare/pair.ts';

/** What one of the two servers has for a case. */
export interface Place {
  readonly folder: string;
  /** A server that takes events, named by `kubeconfig` in the folder. */
  readonly webhook: EventServer;
}

/** A start of both servers with the same flags, and what is compared of it. */
export interface SinkCase {
  readonly name: string;
  readonly policy: JsonObject;
  readonly flags: (place: Place) => readonly string[];
  /** Sends requests. Resolves to what of the answers is compared. */
  readonly act: (side: Side, place: Place) => Promise<unknown>;
  /** Looks at what was written, when the server has ended. */
  readonly written?: (place: Place) => unknown;
}

/** A policy about the ConfigMaps that the administrator touches in the namespace default, and nothing else. */
export function policyFor(level: string, more: JsonObject = {}): JsonObject {
  return {
    apiVersion: 'audit.k8s.io/v1',
    kind: 'Policy',
    omitStages: ['RequestReceived'],
    rules: [
      {
        level,
        users: ['admin'],
        namespaces: ['default'],
        resources: [{ group: '', resources: ['configmaps'] }],
      },
    ],
    ...more,
  };
}

/** Creates a ConfigMap with so many characters of data. @returns the code of the answer */
export async function create({ json }: Side, name: string, characters = 10): Promise<number> {
  const object = { metadata: { name }, data: { text: 'x'.repeat(characters) } };
  return (await json.call('POST', '/api/v1/namespaces/default/configmaps', object)).status;
}

/** Creates several, one after the other. */
export async function createSome(side: Side, count: number, characters?: number): Promise<number[]> {
  const codes: number[] = [];
  for (let at = 0; at < count; at++) codes.push(await create(side, `object-${at}`, characters));
  return codes;
}

/** The events that `/metrics` says were not written, by plugin. */
export async function errorCounts({ json }: Side): Promise<string[]> {
  const { body } = await json.call('GET', '/metrics');
  return String(body)
    .split('\n')
    .filter((line) => line.startsWith('apiserver_audit_error_total{'));
}
