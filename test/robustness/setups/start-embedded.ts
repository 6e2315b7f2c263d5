import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FrameTransport } from '#shared/storage/etcd-wire/frame-transport.ts';
import { freePort } from '#test/free-port.ts';
import { canHoldCommits } from '#test/robustness/faults/held-commits.ts';
import { LimitedDisk } from '#test/robustness/faults/limited-disk.ts';
import { Link } from '#test/robustness/faults/link.ts';
import { ServerFolders, startProgram } from './server-folder.ts';
import type { Setup } from './setup.ts';

/**
 * A store cannot open its file on a disk without room. It says so and ends, and is started again until there is some.
 */
const fullDisk = /^store: database or disk is full$/m;

/** Store, core, extensions and gateway, one of each. */
export async function startEmbedded(): Promise<Setup> {
  const root = mkdtempSync(join(tmpdir(), 'rob-'));
  const [apiPort, gatewayPort] = [await freePort(), await freePort()];
  const folders = await ServerFolders.make(root, gatewayPort);
  const storeSocket = join(root, 'store.sock');
  const disk = LimitedDisk.mount(join(root, 'disk'));
  const dataDir = join(root, 'disk', 'data');
  const links = [
    new Link('client→gateway', apiPort, gatewayPort),
    ...['core', 'extensions', 'gateway'].map(
      (server) => new Link(`${server}→store`, folders.socket(server, 'store'), storeSocket),
    ),
    new Link('gateway→core', folders.socket('gateway', 'core'), folders.socket('core', 'core')),
    new Link('gateway→extensions', folders.socket('gateway', 'extensions'), folders.socket('extensions', 'extensions')),
    new Link('core→gateway', folders.socket('core', 'gateway'), folders.socket('gateway', 'gateway')),
    new Link('extensions→gateway', folders.socket('extensions', 'gateway'), folders.socket('gateway', 'gateway')),
  ];
  for (const link of links) await link.open();
  const store = startProgram(
    'store',
    ['store', '--data-dir', dataDir, '--listen-client-urls', '', '--listen-unix-socket', storeSocket],
    join(root, 'store.clock'),
    fullDisk,
  );
  const processes = [
    store,
    folders.start('core', 'core', []),
    folders.start('extensions', 'extensions', []),
    folders.start('gateway', 'gateway', []),
  ];
  const close = async (): Promise<void> => {
    for (const process of processes.toReversed()) await process.stop();
    await Promise.all(links.map((link) => link.close()));
    disk?.unmount();
    rmSync(root, { recursive: true, force: true });
  };
  return {
    addresses: [{ url: `https://127.0.0.1:${apiPort}`, pki: folders.pki }],
    processes,
    links,
    sockets: (['core', 'extensions'] as const).map((server) => ({
      name: server,
      server,
      path: folders.socket(server, server),
    })),
    ...(disk === undefined ? {} : { disk }),
    store: { process: store, tip: join(dataDir, 'store.tip'), canBeHeld: canHoldCommits() },
    openEtcd: () => new FrameTransport({ socketPath: storeSocket }),
    close,
  };
}
