import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startCluster } from '#test/cluster.ts';
import { freePort } from '#test/free-port.ts';

/** A cluster of the bundles that programs of any language can restart. */
export interface RestartableCluster {
  readonly kubeconfig: string;
  /** Host and port: whoever connects waits until the cluster has ended and is ready again, and the connection ends. */
  readonly restarts: string;
  close(): Promise<void>;
}

export async function startRestartable(flags: readonly string[]): Promise<RestartableCluster> {
  const dataDir = mkdtempSync(join(tmpdir(), 'sdk-cluster-'));
  const port = await freePort();
  const start = () => startCluster({ bundled: true, dataDir, flags: ['--secure-port', String(port), ...flags] });
  let cluster = await start();
  const door = createServer((socket) => {
    socket.on('error', () => undefined).resume();
    void (async () => {
      await cluster.close();
      cluster = await start();
      socket.end();
    })();
  });
  await new Promise<void>((resolve) => door.listen(0, '127.0.0.1', resolve));
  return {
    kubeconfig: cluster.kubeconfig,
    restarts: `127.0.0.1:${(door.address() as AddressInfo).port}`,
    async close() {
      door.close();
      await cluster.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
