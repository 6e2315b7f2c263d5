import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { LRUCache } from 'lru-cache';
import { getKey } from '#shared/apimachinery/json/json.ts';
import { readGen } from './gen-folder.ts';
import type { ResourcesFile } from './gen-format.ts';

type Texts = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Beside the bundle; from source in the `dist/` of the project. */
const places = ['./descriptions/', '../../dist/descriptions/'];

type DescriptionOf = (model: string, field: string) => string | undefined;

let known: DescriptionOf | undefined;

/**
 * Texts for `kubectl explain`: of a model (field `''`) or of a field by its JSON name; undefined if there is none.
 * Without the files of the build there are no texts. Files are read when needed and only the last few are kept.
 */
export function loadDescriptions(): DescriptionOf {
  return (known ??= makeDescriptions());
}

function makeDescriptions(): DescriptionOf {
  const folder = places.map((place) => fileURLToPath(new URL(place, import.meta.url))).find((path) => existsSync(path));
  if (folder === undefined) return () => undefined;
  const { files } = readGen<ResourcesFile>('resources');
  const loaded = new LRUCache<string, Texts>({ max: 4 });
  return (model, field) => {
    const file = getKey(files, model.slice(0, Math.max(0, model.lastIndexOf('.'))));
    if (file === undefined) return undefined;
    let texts = loaded.get(file);
    if (texts === undefined) {
      const path = `${folder}${file}.json`;
      texts = existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Texts) : {};
      loaded.set(file, texts);
    }
    const own = getKey(texts, model);
    return own !== undefined && Object.hasOwn(own, field) ? own[field] : undefined;
  };
}
