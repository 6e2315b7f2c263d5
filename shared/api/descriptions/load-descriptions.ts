import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { LRUCache } from 'lru-cache';
import { readGen } from '#shared/api/gen-folder.ts';
import type { ResourcesFile } from '#shared/api/gen-format.ts';
import { openPackedFiles } from '#shared/api/packed-files.ts';
import { getKey } from '#shared/apimachinery/json/json.ts';

type Texts = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Beside the bundle; from source in the `dist/` of the project. */
const places = ['./descriptions.pack', '../../../dist/descriptions.pack'];

type DescriptionOf = (model: string, field: string) => string | undefined;

let known: DescriptionOf | undefined;

/**
 * Texts for `kubectl explain`: of a model (field `''`) or of a field by its JSON name; undefined if there is none.
 * Without the file of the build there are no texts. They are read when needed, and only the last few groups are kept.
 */
export function loadDescriptions(): DescriptionOf {
  return (known ??= makeDescriptions());
}

function makeDescriptions(): DescriptionOf {
  const pack = places.map((place) => fileURLToPath(new URL(place, import.meta.url))).find((path) => existsSync(path));
  if (pack === undefined) return () => undefined;
  const read = openPackedFiles(pack);
  const { files } = readGen<ResourcesFile>('resources');
  const loaded = new LRUCache<string, Texts>({ max: 4 });
  return (model, field) => {
    const file = fileOf(files, model);
    let texts = loaded.get(file);
    if (texts === undefined) {
      texts = JSON.parse(read(file) ?? '{}') as Texts;
      loaded.set(file, texts);
    }
    const own = getKey(texts, model);
    return own !== undefined && Object.hasOwn(own, field) ? own[field] : undefined;
  };
}

/** The file that holds the texts of a model, by the packages of the facts: `meta` for packages without structs. */
export function fileOf(files: ResourcesFile['files'], model: string): string {
  return getKey(files, packageOf(model)) ?? 'meta';
}

/** `io.k8s.api.apps.v1.Deployment` → `io.k8s.api.apps.v1`. */
export function packageOf(model: string): string {
  return model.slice(0, Math.max(0, model.lastIndexOf('.')));
}
