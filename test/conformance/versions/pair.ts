import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startCluster } from '../../cluster.ts';
import { JsonClient } from '../../json-client.ts';
import { startReference } from '../../reference.ts';
import { adminToken, writeTokens } from '../../tokens.ts';

/** This server and the reference, started with the same flags. */
export interface Pair {
  readonly ours: JsonClient;
  readonly theirs: JsonClient;
  readonly oursUrl: string;
  readonly theirsUrl: string;
  close(): Promise<void>;
}

/** The stores of both, where their data outlives them. */
export interface Stores {
  readonly ours: string;
  readonly theirs: string;
}

/** Rejects with the output of what does not come up; the other one is ended then. */
export async function startPair(flags: readonly string[], stores?: Stores): Promise<Pair> {
  const folder = mkdtempSync(join(tmpdir(), 'versions-'));
  const [cluster, reference] = await Promise.allSettled([
    startCluster({
      bundled: true,
      flags: [
        '--token-auth-file',
        writeTokens(folder),
        '--service-cluster-ip-range',
        '10.0.0.0/16',
        '--allow-privileged',
        ...(stores === undefined ? [] : ['--etcd-servers', stores.ours]),
        ...flags,
      ],
    }),
    startReference({ flags, ...(stores === undefined ? {} : { etcdUrl: stores.theirs }) }),
  ]);
  const close = async (): Promise<void> => {
    await Promise.all(
      [cluster, reference].map((one) => (one.status === 'fulfilled' ? one.value.close() : Promise.resolve())),
    );
    rmSync(folder, { recursive: true, force: true });
  };
  if (cluster.status === 'rejected' || reference.status === 'rejected') {
    await close();
    throw new Error(
      `${flags.join(' ')}: ${[cluster, reference].map((one) => (one.status === 'rejected' ? String(one.reason) : '')).join('\n')}`,
    );
  }
  const [oursUrl, theirsUrl] = [cluster.value.url, reference.value.url];
  return {
    ours: new JsonClient(oursUrl, adminToken),
    theirs: new JsonClient(theirsUrl, adminToken),
    oursUrl,
    theirsUrl,
    close,
  };
}
