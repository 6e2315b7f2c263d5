import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startHostedCluster as start, type HostedCluster as Hosted } from '#servers/host/hosted-cluster.ts';
import type { ClusterAddress } from '#test/api-client.ts';

/** A whole cluster in this process. */
export type HostedCluster = ClusterAddress & Hosted;

/** Starts store, core, extensions and gateway in this process, and waits until the API is ready. */
export async function startHostedCluster(flags: readonly string[] = []): Promise<HostedCluster> {
  const dataDir = mkdtempSync(join(tmpdir(), 'quarterdeck-in-process-'));
  return { ...(await start({ dataDir, flags })), pki: join(dataDir, 'pki') };
}
