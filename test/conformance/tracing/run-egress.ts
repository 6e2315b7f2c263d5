// Requests whose connections are made by egress proxies are traced by this server and by the reference, and so are
// connections that the proxies refuse. Names and parents of their spans are compared, and the addresses in these.
//   npm run build && REFERENCE_BIN=FOLDER node --import tsx test/conformance/tracing/run-egress.ts
// Needs Go.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestCa } from '#shared/server/testing/certificates.ts';
import type { ApiClient } from '#test/api-client.ts';
import { egressConfiguration, startProxy, type Behaviour, type Proxy } from '#test/conformance/egress/proxies.ts';
import { prepare, requests } from '#test/conformance/egress/requests.ts';
import { startTargets } from '#test/conformance/egress/targets.ts';
import type { JsonClient } from '#test/json-client.ts';
import { buildCollector, type CollectedSpan } from './go-collector.ts';
import { clientSpan, linesOf, treeOf } from './span-tree.ts';
import { startTraced, type SideName } from './traced-server.ts';

const protocols = ['HTTPConnect by Unix socket', 'GRPC'] as const;
const behaviours = ['dials', 'refuses'] as const satisfies Behaviour[];

const folder = mkdtempSync(join(tmpdir(), 'egress-spans-'));
const ca = await createTestCa('CN=egress');
const targets = await startTargets(ca);
const traceIdOf = (index: number): string => `0af7651916cd43dd8448eb211c80${(0x2000 + index).toString(16)}`;

function jsonOf(client: ApiClient): Pick<JsonClient, 'call'> {
  return {
    async call(method, path, object) {
      const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
      const headers = { 'content-type': type };
      const { status, text } = await client.send(method, path, object === undefined ? {} : { body: object, headers });
      return { status, body: text };
    },
  };
}

/** Sends all requests; their names, in the order of their traces. */
async function ask(client: ApiClient, proxy: Proxy): Promise<string[]> {
  const sent: string[] = [];
  for (const behaviour of behaviours) {
    proxy.behaviour = behaviour;
    for (const { name, method, path, object } of requests(behaviour)) {
      // Its connection belongs to another network, that of the collector.
      if (name === 'webhook by url') continue;
      // Connections that were kept alive need no proxy.
      targets.closeConnections();
      const headers = {
        traceparent: `00-${traceIdOf(sent.length)}-${clientSpan}-01`,
        'content-type': 'application/json',
      };
      const { status } = await client.send(
        method,
        path,
        object === undefined ? { headers } : { body: object, headers },
      );
      sent.push(`${behaviour}: ${name}: ${status}`);
    }
  }
  return sent;
}

/** The trees of the spans, by the requests. */
async function treesOf(protocol: (typeof protocols)[number], side: SideName, collector: string): Promise<string[]> {
  const own = mkdtempSync(join(folder, `${side}-`));
  const noTls = { cert: '', key: '', files: {} };
  const proxy = await startProxy(protocol, { folder: own, network: 'cluster', lead: targets.lead, tls: noTls });
  const server = await startTraced(side, collector, [
    `--egress-selector-config-file=${egressConfiguration(own, new Map([['cluster', proxy]]))}`,
  ]);
  let sent: string[];
  try {
    await prepare(jsonOf(server.client), Buffer.from(ca.cert).toString('base64'));
    sent = await ask(server.client, proxy);
  } finally {
    await server.close();
    proxy.close();
  }
  return sent.map((name, index) => {
    const { roots, orphans } = treeOf(server.spans.map(withAddress), traceIdOf(index));
    return [name, ...linesOf(roots, 1), ...orphans.map((orphan) => `  without its parent: ${orphan}`)].join('\n');
  });
}

function withAddress(span: CollectedSpan): CollectedSpan {
  return span.name.startsWith('Proxy via') ? { ...span, name: `${span.name} ${span.attributes['address']}` } : span;
}

let differences = 0;
let proxied = 0;
try {
  const collector = buildCollector(folder);
  for (const protocol of protocols) {
    const there = await treesOf(protocol, 'theirs', collector);
    const here = await treesOf(protocol, 'ours', collector);
    for (const [index, tree] of there.entries()) {
      proxied += tree.split('Proxy via').length - 1;
      if (here[index] === tree) continue;
      differences++;
      console.log(`${protocol}\nthere ${tree}\nhere ${here[index]}`);
    }
  }
  console.log(`egress: ${proxied} connections by proxies, ${differences} traces differ`);
  process.exitCode = differences === 0 && proxied > 0 ? 0 : 1;
} finally {
  targets.close();
  rmSync(folder, { recursive: true, force: true });
}
