import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { openPackedFiles, type ReadPacked } from './packed-files.ts';

/** Beside the bundles; the build makes it of the folder. */
const packed = './gen.pack';
/** The first is beside this module, for runs from source; the others are relative to the bundles in `dist/`. */
const folders = ['./gen/', '../shared/api/gen/', './api/gen/'];

let read: ReadPacked | undefined;

/** Reads one JSON file below `gen/`; the name is without its ending. Throws if the product was installed without it. */
export function readGen<T>(name: string): T {
  const text = (read ??= findGen())(name);
  if (text === undefined) throw new Error(`the facts have no file ${name}`);
  return JSON.parse(text) as T;
}

function findGen(): ReadPacked {
  const [pack = '', ...paths] = [packed, ...folders].map((place) => fileURLToPath(new URL(place, import.meta.url)));
  if (existsSync(pack)) return openPackedFiles(pack);
  const folder = paths.find((path) => existsSync(`${path}resources.json`));
  if (folder === undefined)
    throw new Error(`facts not found: no gen.pack and no gen/resources.json near ${import.meta.url}`);
  return (name) => readFileSync(`${folder}${name}.json`, 'utf8');
}
