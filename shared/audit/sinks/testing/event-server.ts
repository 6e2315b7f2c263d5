import { writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A call of the webhook, with the ids of its events in their order. */
export interface EventCall {
  readonly target: string;
  readonly contentType: string;
  readonly body: string;
  readonly ids: readonly string[];
}

/** Answers a call; 200 without a body where there is none. */
export type AnswerCall = (response: ServerResponse, call: EventCall) => void;

/** A server that takes audit events and remembers them. */
export interface EventServer {
  readonly calls: EventCall[];
  /** Answers the calls that come; the default is 200. */
  answer: AnswerCall;
  readonly url: string;
  /** Writes a kubeconfig that names it. */
  writeKubeconfig(file: string): void;
  close(): Promise<void>;
}

/** @param port to listen on. Default: a free one */
export async function startEventServer(port = 0): Promise<EventServer> {
  const server = createServer((request, response) => void take(events, request, response));
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const events: EventServer = {
    calls: [],
    answer: (response) => response.end(),
    url,
    writeKubeconfig: (file) => writeFileSync(file, kubeconfigFor(`${url}/events`)),
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return events;
}

async function take(events: EventServer, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await text(request).catch(() => '');
  const list = body === '' ? { items: [] } : (JSON.parse(body) as { items: { auditID: string }[] });
  const call = {
    target: `${request.method} ${request.url}`,
    contentType: request.headers['content-type'] ?? '',
    body,
    ids: list.items.map(({ auditID }) => auditID),
  };
  events.calls.push(call);
  events.answer(response, call);
}

/** A kubeconfig whose one server is at a URL. */
export function kubeconfigFor(url: string): string {
  return `apiVersion: v1
kind: Config
current-context: audit
contexts: [{name: audit, context: {cluster: audit, user: audit}}]
clusters: [{name: audit, cluster: {server: '${url}'}}]
users: [{name: audit, user: {}}]
`;
}
