import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { http2Client, type ApiClient } from '#test/api-client.ts';
import { startCluster } from '#test/cluster.ts';
import { referenceProgram, startEtcd, startReference } from '#test/reference.ts';
import { startEtcdRelay, type EtcdCall } from './etcd-relay.ts';
import { GoCollector, type CollectedSpan } from './go-collector.ts';

export type SideName = 'ours' | 'theirs';

/** One of the two servers, over an etcd of its own. */
export interface TracedServer {
  /** Of the administrator. */
  readonly client: ApiClient;
  /** Sent to the collector; all of them once the server is closed. */
  readonly spans: readonly CollectedSpan[];
  /** What etcd was told of traces. */
  readonly etcdCalls: EtcdCall[];
  close(): Promise<void>;
}

/** @param collector the path of its program; without it the server traces nothing */
export async function startTraced(
  side: SideName,
  collector: string | undefined,
  moreFlags: readonly string[] = [],
): Promise<TracedServer> {
  const folder = mkdtempSync(join(tmpdir(), 'traced-'));
  const spans = collector === undefined ? undefined : new GoCollector(collector);
  // A registered server is one by its name, since endpoints hold no address of this machine alone.
  const flags = [
    '--enable-aggregator-routing=false',
    ...(spans === undefined ? [] : ['--tracing-config-file', await configuration(folder, spans)]),
    ...moreFlags,
  ];
  const etcd = await startEtcd(referenceProgram('etcd') ?? '', join(folder, 'etcd'));
  const relay = await startEtcdRelay(etcd.url);
  const closeRest = async (): Promise<void> => {
    relay.close();
    await etcd.close();
    spans?.close();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const server = await (side === 'ours'
      ? startCluster({
          flags: ['--etcd-servers', relay.url, ...flags],
          bundled: true,
          readyWithinMs: 120_000,
        })
      : startReference({ flags, etcdUrl: relay.url }));
    const client = http2Client(server);
    return {
      client,
      spans: spans?.spans ?? [],
      etcdCalls: relay.calls,
      async close() {
        client.close();
        // Both send at their end what waits.
        await server.close();
        await closeRest();
      },
    };
  } catch (error) {
    await closeRest();
    throw error;
  }
}

async function configuration(folder: string, collector: GoCollector): Promise<string> {
  const file = join(folder, 'tracing.yaml');
  const kind = { apiVersion: 'apiserver.config.k8s.io/v1', kind: 'TracingConfiguration' };
  writeFileSync(file, JSON.stringify({ ...kind, endpoint: await collector.endpoint() }));
  return file;
}
