import { mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { prepareAlone } from '#servers/launcher/prepare.ts';
import { SupervisedProcess } from '#test/robustness/faults/supervised-process.ts';

const here = dirname(fileURLToPath(import.meta.url));
const dist = process.env['QUARTERDECK_DIST'] ?? join(here, '..', '..', '..', 'dist');

/**
 * Folders in which each process of a system has a data directory of its own, so that the sockets that it finds there
 * can be those of links; keys and certificates are shared.
 */
export class ServerFolders {
  readonly root: string;
  readonly pki: string;
  readonly #port: number;

  /** Makes keys and certificates as well. `port` is the one that clients use. */
  static async make(root: string, port: number): Promise<ServerFolders> {
    await prepareAlone('core', ['--data-dir', join(root, 'keys'), '--secure-port', String(port)]);
    return new ServerFolders(root, port);
  }

  private constructor(root: string, port: number) {
    this.root = root;
    this.#port = port;
    this.pki = join(root, 'keys', 'pki');
  }

  /** Path of a socket in the data directory of a process, whose folders are made when first asked for. */
  socket(server: string, name: 'store' | 'core' | 'extensions' | 'gateway'): string {
    return join(this.folder(server), 'run', `${name}.sock`);
  }

  folder(server: string): string {
    const folder = join(this.root, server);
    if (mkdirSync(join(folder, 'run'), { recursive: true, mode: 0o700 }) !== undefined)
      symlinkSync(this.pki, join(folder, 'pki'));
    return folder;
  }

  /** Starts core, extensions or gateway; `name` is also its folder. */
  start(command: 'core' | 'extensions' | 'gateway', name: string, flags: readonly string[]): SupervisedProcess {
    return startProgram(
      name,
      [command, '--data-dir', this.folder(name), '--secure-port', String(this.#port), ...flags],
      join(this.root, `${name}.clock`),
    );
  }
}

/** Starts the bundle with a clock that can be set. */
export function startProgram(
  name: string,
  argv: readonly string[],
  clockFile: string,
  mayEnd?: RegExp,
): SupervisedProcess {
  return new SupervisedProcess({
    name,
    argv: ['--import', join(here, '..', 'faults', 'clock-steps.ts'), join(dist, 'quarterdeck.js'), ...argv],
    program: process.execPath,
    env: { ROBUSTNESS_CLOCK_FILE: clockFile },
    readyLine: /^\w+ ready after |"type":"ready"/m,
    clockFile,
    ...(mayEnd === undefined ? {} : { mayEnd }),
  });
}
