import { join } from 'node:path';
import type { EtcdTransport } from '#shared/storage/etcd-wire/transport.ts';
import { Etcd3Transport } from '#shared/storage/etcd/etcd3-transport.ts';
import { freePort } from '#test/free-port.ts';
import { referenceProgram } from '#test/reference.ts';
import { Link } from '#test/robustness/faults/link.ts';
import { SupervisedProcess } from '#test/robustness/faults/supervised-process.ts';

/** Members of a real etcd, with links between them. */
export class EtcdCluster {
  readonly processes: readonly SupervisedProcess[];
  /** Between the members; those of clients come with {@link linkFor}. */
  readonly links: Link[];
  readonly #clientPorts: readonly number[];

  /** Of so many members, below `root`. The program is upstream's, at REFERENCE_BIN. */
  static async start(root: string, count: number): Promise<EtcdCluster> {
    const program = referenceProgram('etcd');
    if (program === undefined) throw new Error('REFERENCE_BIN holds no etcd');
    const members = await Promise.all(
      Array.from({ length: count }, async (_, index) => ({
        name: `etcd-${index + 1}`,
        client: await freePort(),
        peer: await freePort(),
        shown: await freePort(),
      })),
    );
    const cluster = members.map(({ name, shown }) => `${name}=http://127.0.0.1:${shown}`).join();
    const links = members.map(({ name, peer, shown }) => new Link(`peers→${name}`, shown, peer));
    for (const link of links) await link.open();
    const processes = members.map(
      ({ name, client, peer, shown }) =>
        new SupervisedProcess({
          name,
          program,
          readyLine: /ready to serve client requests/,
          argv: [
            '--name',
            name,
            '--data-dir',
            join(root, name),
            '--listen-client-urls',
            local(client),
            '--advertise-client-urls',
            local(client),
            '--listen-peer-urls',
            local(peer),
            '--initial-advertise-peer-urls',
            local(shown),
            '--initial-cluster',
            cluster,
          ],
        }),
    );
    return new EtcdCluster(
      processes,
      links,
      members.map(({ client }) => client),
    );
  }

  private constructor(processes: readonly SupervisedProcess[], links: Link[], clientPorts: readonly number[]) {
    this.processes = processes;
    this.links = links;
    this.#clientPorts = clientPorts;
  }

  /** Addresses of all members for one client, each over a link of its own; the value of `--etcd-servers`. */
  async linkFor(server: string): Promise<string> {
    const addresses: string[] = [];
    for (const [index, port] of this.#clientPorts.entries()) {
      const link = new Link(`${server}→etcd-${index + 1}`, 0, port);
      addresses.push(local(await link.open()));
      this.links.push(link);
    }
    return addresses.join();
  }

  open(): EtcdTransport {
    return new Etcd3Transport({ endpoints: this.#clientPorts.map(local) });
  }
}

function local(port: number): string {
  return `http://127.0.0.1:${port}`;
}
