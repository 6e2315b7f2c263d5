import type * as Reader from './manifest-reader.ts';

let loaded: typeof Reader | undefined;

/** Loads what reads manifests, with CEL: few servers have manifests. */
export async function loadManifestReader(): Promise<typeof Reader> {
  return (loaded ??= await import('./manifest-reader.ts'));
}
