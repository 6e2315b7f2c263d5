import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The first is beside this module, for runs from source; the others are relative to the bundles in `dist/`. */
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
