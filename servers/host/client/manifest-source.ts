import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { GivenManifests } from './messages.ts';
import type { ManifestInput } from './public-types.ts';

/**
 * What `apply` was given: a text of one line is the path of a file or folder, if it is no object itself.
 * @throws Error for a path at which nothing is
 */
export function manifestSource(manifests: ManifestInput): GivenManifests {
  if (manifests instanceof URL) return { path: existing(fileURLToPath(manifests)) };
  if (typeof manifests !== 'string')
    return { objects: Array.isArray(manifests) ? (manifests as readonly object[]) : [manifests] };
  const isPath = !manifests.includes('\n') && !/:\s|^\s*[[{]/.test(manifests);
  return isPath ? { path: existing(manifests) } : { text: manifests };
}

function existing(path: string): string {
  const whole = resolve(path);
  if (!existsSync(whole))
    throw new Error(`there is no file or folder ${whole}: give YAML, objects, or the path of a manifest`);
  return whole;
}
