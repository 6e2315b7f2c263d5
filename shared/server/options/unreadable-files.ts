import { accessSync, constants, statSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { flagName } from './flag-set.ts';
import { fileFlags } from './named-paths.ts';
import type { ServerOptions } from './server-options.ts';

/**
 * Errors about all files that the command line names. Files below the data directory are not checked, since they may be
 * created later.
 */
export function unreadableFiles(options: ServerOptions, given: ReadonlySet<keyof ServerOptions>): string[] {
  const own = resolve(options.dataDir);
  const named = {
    ...options,
    tlsSniCertKey: options.tlsSniCertKey.flatMap(({ certFile, keyFile }) => [certFile, keyFile]),
  };
  return [...fileFlags, 'tlsSniCertKey' as const]
    .filter((key) => given.has(key))
    .flatMap((key) => {
      const value = named[key];
      return [value]
        .flat()
        .filter((path) => path !== '' && isElsewhere(own, path))
        .flatMap((path) => {
          const fault = faultOf(path);
          return fault === undefined ? [] : [`--${flagName(key)} ${JSON.stringify(path)}: ${fault}`];
        });
    });
}

function isElsewhere(folder: string, path: string): boolean {
  return relative(folder, resolve(path)).startsWith('..');
}

function faultOf(path: string): string | undefined {
  try {
    if (statSync(path).isDirectory()) return 'this is a folder; name a file';
    accessSync(path, constants.R_OK);
    return undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR')
      return 'there is no such file; name one that is there, or leave the flag out';
    if (code === 'EACCES')
      return 'this file may not be read by the user of the server; give it the right, or name another';
    return `this file cannot be read (${code ?? String(error)}); name another`;
  }
}
