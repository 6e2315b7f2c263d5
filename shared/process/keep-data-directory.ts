import { dirname, join } from 'node:path';
import { KeptPaths, type KeptPath } from '#shared/files/kept-paths.ts';
import { printProcessLine } from '#shared/observability/process-lines.ts';
import type { ServerDependencies } from './server-dependencies.ts';

/**
 * Fails `/readyz`, and writes a line, while a part of the data directory, or the program, is removed or replaced.
 * @returns a function that ends this
 */
export function keepDataDirectory({ options, sockets, health }: ServerDependencies): () => void {
  const { dataDir } = options;
  const told = new KeptPaths({
    paths: [
      {
        path: dataDir,
        remedy:
          'keys, and all objects of the embedded store, are gone when the servers end; move it back now, or make it anew with "quarterdeck store snapshot restore" and --with-pki',
      },
      {
        path: dirname(sockets.gateway),
        remedy:
          'servers that are started again do not find the others by their sockets; end all servers, and start them',
      },
      {
        path: join(dataDir, 'pki'),
        remedy: 'the servers cannot be started again; put it back from a backup, as new keys lock out every client',
        mayBeReplaced: true,
      },
    ],
    tell: printProcessLine,
  });
  const program = new KeptPaths({ paths: programOfProcess(), tell: printProcessLine });
  // The store writes the line about its database.
  const database = { path: join(dataDir, 'store', 'store.db'), remedy: 'the store refuses writes' };
  const untold = new KeptPaths({ paths: sockets.store === undefined ? [] : [database], tell: () => undefined });
  const check = (name: string, ...kept: readonly KeptPaths[]): void =>
    health.add({ name, endpoints: ['readyz'], quiet: true, check: () => kept.flatMap(({ faults }) => faults)[0] });
  check('data-directory', told, untold);
  check('program', program);
  return () => {
    for (const kept of [told, untold, program]) kept.close();
  };
}

/** The bundle that this process runs; nothing for a run from source. */
function programOfProcess(): KeptPath[] {
  const path = process.argv[1] ?? '';
  const remedy =
    'servers that are started again are of another release, or cannot be started; install it again where it is missing, and start all servers again';
  return path.endsWith('.js') ? [{ path, remedy }] : [];
}
