import { existsSync, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/**
 * The program of a thread that starts later: `name.ts` beside the module in the sources; in a bundle, `name.js` beside
 * the bundle. That file is kept open, so that the program is of the same release also when the package was removed or
 * replaced meanwhile.
 */
export function threadProgram(name: string, module: string): () => URL {
  const found = ['ts', 'js'].map((extension) => new URL(`./${name}.${extension}`, module)).find(exists);
  if (found === undefined)
    return () => {
      throw new Error(`the program ${name} of a thread is missing beside ${module}`);
    };
  if (found.pathname.endsWith('.ts')) return () => found;
  const fd = openSync(found, 'r');
  const { ino, dev, size } = fstatSync(fd);
  return () => {
    const present = statSync(found, { throwIfNoEntry: false });
    if (present?.ino === ino && present.dev === dev) return found;
    const bytes = Buffer.alloc(size);
    readSync(fd, bytes, 0, size, 0);
    return new URL(`data:text/javascript;base64,${bytes.toString('base64')}`);
  };
}

function exists(url: URL): boolean {
  return existsSync(fileURLToPath(url));
}
