import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ClusterAddress } from '#test/api-client.ts';
import { freePort } from '#test/free-port.ts';
import { Link } from '#test/robustness/faults/link.ts';
import type { SupervisedProcess } from '#test/robustness/faults/supervised-process.ts';
import { EtcdCluster } from './etcd-cluster.ts';
import { ServerFolders } from './server-folder.ts';
import type { ServerSocket, Setup } from './setup.ts';

/** So many members of etcd, and so many of each server; each gateway knows all cores and extensions servers. */
export async function startOnEtcd(members: number, replicas: number): Promise<Setup> {
  const root = mkdtempSync(join(tmpdir(), 'rob-'));
  const etcd = await EtcdCluster.start(root, members);
  const names = (server: string): string[] =>
    Array.from({ length: replicas }, (_, index) => (replicas === 1 ? server : `${server}-${index + 1}`));
  const gatewayPorts = await Promise.all(names('gateway').map(() => freePort()));
  const folders = await ServerFolders.make(root, gatewayPorts[0] ?? 0);
  const links: Link[] = [];
  const link = async (name: string, listen: string | number, target: string | number): Promise<number> => {
    const made = new Link(name, listen, target);
    links.push(made);
    return made.open();
  };
  const processes: SupervisedProcess[] = [...etcd.processes];
  const sockets: ServerSocket[] = [];
  for (const server of ['core', 'extensions'] as const) {
    for (const [index, name] of names(server).entries()) {
      const gateway = names('gateway')[index % replicas] ?? 'gateway';
      await link(`${name}→${gateway}`, folders.socket(name, 'gateway'), folders.socket(gateway, 'gateway'));
      sockets.push({ name, server, path: folders.socket(name, server) });
      processes.push(folders.start(server, name, ['--etcd-servers', await etcd.linkFor(name)]));
    }
  }
  const addresses: ClusterAddress[] = [];
  for (const [index, gateway] of names('gateway').entries()) {
    const flags = ['--etcd-servers', await etcd.linkFor(gateway)];
    for (const server of ['core', 'extensions'] as const) {
      const sockets: string[] = [];
      for (const name of names(server)) {
        const socket = join(folders.folder(gateway), 'run', `${name}.sock`);
        await link(`${gateway}→${name}`, socket, folders.socket(name, server));
        sockets.push(`unix://${socket}`);
      }
      if (replicas > 1) flags.push(`--${server}-servers`, sockets.join());
    }
    const port = gatewayPorts[index] ?? 0;
    processes.push(folders.start('gateway', gateway, ['--secure-port', String(port), ...flags]));
    addresses.push({ url: `https://127.0.0.1:${await link(`client→${gateway}`, 0, port)}`, pki: folders.pki });
  }
  links.push(...etcd.links);
  const close = async (): Promise<void> => {
    for (const process of processes.toReversed()) await process.stop();
    await Promise.all(links.map((open) => open.close()));
    rmSync(root, { recursive: true, force: true });
  };
  return { addresses, processes, links, sockets, openEtcd: () => etcd.open(), close };
}
