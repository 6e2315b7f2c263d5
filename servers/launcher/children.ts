import { join } from 'node:path';
import { printProcessLine } from '#shared/observability/process-lines.ts';
import { processSockets } from '#shared/process/data-directory.ts';
import { chosenControllers } from '#shared/server/options/controller-flags.ts';
import type { ServerOptions } from '#shared/server/options/server-options.ts';
import { Child, socketInChild, type ChildOptions } from './child.ts';
import type { PublicSocket } from './public-socket.ts';
import { Replicas } from './replicas.ts';
import type { ReplicatedProcess } from './replicas.ts';

export interface ChildrenOptions {
  readonly options: ServerOptions;
  /** Folder of the processes' sockets. */
  readonly directory: string;
  /** Path of the program that dispatches sub-commands. */
  readonly entry: string;
  /** Resolves when keys and certificates exist. The servers get their options then, and load their code meanwhile. */
  readonly keys: Promise<unknown>;
  /** The socket of the public port; absent: the gateways open the port. */
  readonly publicSocket: PublicSocket | undefined;
  readonly onLost: (why: string) => void;
  /** Called when a process found damaged data. */
  readonly onDamaged: (reason: string) => void;
}

/**
 * Starts all processes. Returns them in groups, in the order in which they must end; the first process is a gateway.
 */
export function startChildren({
  options,
  directory,
  entry,
  keys,
  publicSocket,
  onLost,
  onDamaged,
}: ChildrenOptions): readonly (readonly Child[])[] {
  const sockets = processSockets(directory, options.etcdServers.length === 0);
  const replicas = new Replicas(options, directory, sockets, publicSocket && socketInChild);
  // The log format is in `argv`, as a child needs it before it loads anything.
  const argv = ['--logging-format', options.loggingFormat];
  const common = { entry, report: printProcessLine, onLost, onDamaged };
  const dataDir = join(options.dataDir, 'store');
  const storeFlags = ['--data-dir', dataDir, '--listen-client-urls', '', '--listen-unix-socket', sockets.store ?? ''];
  const run = { path: directory, remedy: 'its sockets are lost; end all servers, and start them' };
  const pki = { path: join(options.dataDir, 'pki'), remedy: 'put it back from a backup' };
  // The store would begin with an empty one.
  const database = {
    path: join(dataDir, 'store.db'),
    remedy: 'put it back, or make a store with "quarterdeck store snapshot restore"',
    isFatal: true,
  };
  const store =
    sockets.store === undefined
      ? []
      : [
          new Child({
            ...common,
            name: 'store',
            argv: [...storeFlags, ...argv],
            needs: [run, database],
          }),
        ];
  const start = (name: ReplicatedProcess, more: Partial<ChildOptions> = {}): Child[] =>
    replicas.of(name).map((process, index) => {
      const message = keys.then(() => ({ type: 'options', options: process }) as const);
      return new Child({ ...common, name, replica: index + 1, argv, message, needs: [run, pki], ...more });
    });
  const startControllers = (): Child => {
    const message = keys.then(() => ({ type: 'options', options: { server: options, sockets } }) as const);
    return new Child({ ...common, name: 'controllers', argv, message, needs: [run, pki] });
  };
  const [core, extensions] = [start('core'), start('extensions')];
  const gateways = start('gateway', publicSocket && sharing(publicSocket, options.gatewayReplicas));
  const controllers = chosenControllers(options.controllers).length === 0 ? [] : [startControllers()];
  return [[...gateways, ...controllers], [...extensions, ...core], store];
}

/** The port is closed when the last gateway accepts no more connections. */
function sharing(socket: PublicSocket, gateways: number): Partial<ChildOptions> {
  let accepting = gateways;
  return {
    socket: socket.fd,
    onNotAccepting() {
      accepting -= 1;
      if (accepting === 0) socket.close();
    },
  };
}
