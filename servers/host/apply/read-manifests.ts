import { readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import { setImmediate as otherWork } from 'node:timers/promises';
import type { GivenManifests } from '#servers/host/client/messages.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { parseYaml } from '#shared/serializer/yaml/parse.ts';

/** An object of a manifest, which has all that its address needs. */
export interface ManifestObject extends JsonObject {
  apiVersion: string;
  kind: string;
  metadata: JsonObject & { name?: string; generateName?: string; namespace?: string };
}

/** An object, and where it stands, for errors. */
export interface PlacedObject {
  readonly object: ManifestObject;
  readonly place: string;
}

const extensions: ReadonlySet<string> = new Set(['.yaml', '.yml', '.json']);
const remedy = 'each object of a manifest has apiVersion, kind and metadata.name';

/**
 * The objects of a text, a file, the files of a folder (`.yaml`, `.yml`, `.json`, by their names), or a list of
 * objects. Lists are taken apart, and empty documents left out.
 * @throws Error that names the place and what is wrong there, for anything else than objects
 */
export async function readManifests(source: GivenManifests): Promise<readonly PlacedObject[]> {
  const found: PlacedObject[] = [];
  for (const { text, place } of textsOf(source))
    for (const [at, part] of documentsOf(text).entries()) {
      found.push(...objectsOf(parsed(part, `${place}, document ${at + 1}`), `${place}, document ${at + 1}`));
      await otherWork();
    }
  for (const [at, object] of (source.objects ?? []).entries()) found.push(...objectsOf(object, `object ${at + 1}`));
  if (found.length === 0) throw new Error(`${source.path ?? 'the manifest'} has no object: ${remedy}`);
  return found;
}

function textsOf({ text, path }: GivenManifests): readonly { readonly text: string; readonly place: string }[] {
  if (text !== undefined) return [{ text, place: 'the manifest' }];
  if (path === undefined) return [];
  return filesOf(path).map((file) => ({ text: readFileSync(file, 'utf8'), place: file }));
}

function filesOf(path: string): readonly string[] {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path)
    .filter((name) => extensions.has(extname(name)))
    .toSorted()
    .map((name) => join(path, name));
}

function documentsOf(text: string): readonly string[] {
  return text.split(/^---(?=\s|$).*$/m);
}

function parsed(text: string, place: string): unknown {
  if (!/^\s*[^\s#]/m.test(text)) return null;
  try {
    return parseYaml(Buffer.from(text)).value;
  } catch (error) {
    throw new Error(`${place} is no manifest: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
}

function objectsOf(value: unknown, place: string): readonly PlacedObject[] {
  if (value === null) return [];
  if (typeof value !== 'object' || Array.isArray(value))
    throw new Error(`${place} is no manifest: ${shown(value)} is no object; ${remedy}`);
  const object = value as JsonObject;
  const { kind, items } = object;
  if (typeof kind === 'string' && kind.endsWith('List') && Array.isArray(items))
    return items.flatMap((item, at) => objectsOf(item, `${place}, item ${at + 1}`));
  for (const key of ['apiVersion', 'kind'] as const)
    if (typeof object[key] !== 'string' || object[key] === '') throw new Error(`${place} has no ${key}: ${remedy}`);
  const { metadata } = object;
  const named = metadata as { readonly name?: unknown; readonly generateName?: unknown } | null | undefined;
  if (typeof named?.name !== 'string' && typeof named?.generateName !== 'string')
    throw new Error(`${place} (${String(kind)}) has no metadata.name: ${remedy}`);
  return [{ object: object as ManifestObject, place }];
}

function shown(value: unknown): string {
  return JSON.stringify(value).slice(0, 80);
}
