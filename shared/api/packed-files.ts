import { openSync, readSync, writeFileSync } from 'node:fs';

/** Reads the text of a file by its name; undefined if there is none. */
export type ReadPacked = (name: string) => string | undefined;

interface Place {
  readonly start: number;
  readonly bytes: number;
}

/** Bytes that are read at a time for the names. */
const partBytes = 256 * 1024;

/**
 * Writes texts of JSON as one file: a line for each, which begins with its name and a tab. One file can be kept open
 * where many cannot.
 */
export function packFiles(path: string, texts: Iterable<readonly [name: string, json: string]>): void {
  const lines = Array.from(texts, ([name, json]) => `${name}\t${JSON.stringify(JSON.parse(json))}\n`);
  writeFileSync(path, lines.join(''));
}

/**
 * Opens such a file for the life of the process: what is read later is of the same release, also when the package was
 * removed or replaced meanwhile.
 */
export function openPackedFiles(path: string): ReadPacked {
  const fd = openSync(path, 'r');
  let places: ReadonlyMap<string, Place> | undefined;
  return (name) => {
    const place = (places ??= findLines(fd)).get(name);
    return place === undefined ? undefined : readText(fd, place);
  };
}

function findLines(fd: number): Map<string, Place> {
  const places = new Map<string, Place>();
  const part = Buffer.alloc(partBytes);
  let name = '';
  let start = -1;
  for (let at = 0, read = 0; (read = readSync(fd, part, 0, partBytes, at)) > 0; at += read) {
    for (let i = 0; i < read;) {
      if (start < 0) {
        const tab = part.subarray(0, read).indexOf(9, i);
        name += part.toString('latin1', i, tab < 0 ? read : tab);
        if (tab < 0) break;
        start = at + tab + 1;
        i = tab + 1;
      } else {
        const end = part.subarray(0, read).indexOf(10, i);
        if (end < 0) break;
        places.set(name, { start, bytes: at + end - start });
        [name, start, i] = ['', -1, end + 1];
      }
    }
  }
  return places;
}

function readText(fd: number, { start, bytes }: Place): string {
  const text = Buffer.allocUnsafe(bytes);
  readSync(fd, text, 0, bytes, start);
  return text.toString('utf8');
}
