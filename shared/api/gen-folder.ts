import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Beside this module when run from source; from `dist/` in the bundled product. */
const places = ['./gen/', '../shared/api/gen/', './api/gen/'];

let folder: string | undefined;

/** Path of `shared/api/gen`, with a slash at its end. Throws when the product was installed without it. */
export function genFolder(): string {
  folder ??= places
    .map((place) => fileURLToPath(new URL(place, import.meta.url)))
    .find((path) => existsSync(`${path}resources.json`));
  if (folder === undefined) throw new Error(`facts not found: no gen/resources.json near ${import.meta.url}`);
  return folder;
}

/** Reads one JSON file below `gen/`; the name is without its ending. */
export function readGen<T>(name: string): T {
  return JSON.parse(readFileSync(`${genFolder()}${name}.json`, 'utf8')) as T;
}
