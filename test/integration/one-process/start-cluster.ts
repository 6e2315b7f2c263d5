import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startGateway } from '#gateway/start-gateway.ts';
import { startCore } from '#servers/core/start-core.ts';
import { startExtensions } from '#servers/extensions/start-extensions.ts';
import { prepareKeys } from '#servers/launcher/prepare.ts';
import { Replicas } from '#servers/launcher/replicas.ts';
import { startStore } from '#servers/store/start/start-store.ts';
import { ensurePrivateFolder } from '#shared/files/private-folder.ts';
import { processSockets, withDataDirectoryDefaults } from '#shared/process/data-directory.ts';
import { parseServerOptions } from '#shared/server/options/parse-server-options.ts';
import type { ClusterAddress } from '#test/api-client.ts';
import { freePort } from '#test/free-port.ts';

/** A whole cluster in this process. */
export interface HostedCluster extends ClusterAddress {
  readonly dataDir: string;
  /** Ends all servers in the launcher's order; the data stay. */
  close(): Promise<void>;
}

/** Starts store, core, extensions and gateway, and waits until the API is ready. */
export async function startHostedCluster(flags: readonly string[] = []): Promise<HostedCluster> {
  const dataDir = mkdtempSync(join(tmpdir(), 'quarterdeck-in-process-'));
  const parsed = parseServerOptions(['--data-dir', dataDir, '--secure-port', String(await freePort()), ...flags]);
  if (parsed.errors.length > 0) throw new Error(parsed.errors.join('\n'));
  const options = withDataDirectoryDefaults(parsed.options, parsed.given);
  const run = join(dataDir, 'run');
  ensurePrivateFolder(run);
  await prepareKeys(options, parsed.given);
  const sockets = processSockets(run, true);
  const replicas = new Replicas(options, run, sockets);
  const [core, extensions, gateway] = (['core', 'extensions', 'gateway'] as const).map((name) => {
    const [process] = replicas.of(name);
    if (process === undefined) throw new Error(`no ${name}`);
    return process;
  });
  if (core === undefined || extensions === undefined || gateway === undefined) throw new Error('no servers');
  const store = await startStore({ dataDir: join(dataDir, 'store'), listenUnixSocket: sockets.store }, (error) => {
    throw error;
  });
  const [coreBody, extensionsBody, gatewayBody] = await Promise.all([
    startCore(core),
    startExtensions(extensions),
    startGateway(gateway),
  ]);
  await gatewayBody.ready;
  return {
    url: `https://127.0.0.1:${gatewayBody.port}`,
    pki: join(dataDir, 'pki'),
    dataDir,
    async close() {
      await gatewayBody.shutdown();
      await Promise.all([coreBody.shutdown(), extensionsBody.shutdown()]);
      await Promise.all([coreBody.disconnect(), extensionsBody.disconnect(), gatewayBody.disconnect()]);
      await store.close();
    },
  };
}
