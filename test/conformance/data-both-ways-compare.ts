import { isDeepStrictEqual } from 'node:util';

export interface StoredObject {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: { readonly name: string; readonly namespace?: string; readonly resourceVersion?: string };
}

export type Snapshot = Map<string, StoredObject>;

/**
 * What a server is right to take away: the lease of a server that ended, which that removes itself, and the automatic
 * APIService of a group that no server here serves yet.
 */
const passing =
  /^coordination\.k8s\.io\/v1 leases kube-system\/apiserver-|^apiregistration\.k8s\.io\/v1 apiservices \/v1\.apiextensions\.k8s\.io$/;

export let complaints = 0;

export function complain(text: string): void {
  complaints += 1;
  console.log(`    ${text}`);
}

/** What the writing server showed must be shown by the reading one, unless that wrote it again at its own start. */
export function compare(before: Snapshot, after: Snapshot): void {
  const types = new Set<string>();
  let equal = 0;
  let rewritten = 0;
  for (const [key, object] of before) {
    const found = after.get(key);
    types.add(key.slice(0, key.lastIndexOf(' ')));
    if (found === undefined && passing.test(key)) continue;
    if (found === undefined) complain(`missing: ${key}`);
    else if (found.metadata.resourceVersion !== object.metadata.resourceVersion) rewritten += 1;
    else if (!isDeepStrictEqual(object, found))
      complain(`differs: ${key}\n      - ${JSON.stringify(object)}\n      + ${JSON.stringify(found)}`);
    else equal += 1;
  }
  console.log(`    ${before.size} objects of ${types.size} types: ${equal} equal, ${rewritten} written again at start`);
}

/**
 * All but the resourceVersion is as it was, unless the server wrote it again at its start, behind the last revision of
 * the copy.
 */
export function compareCopied(before: Snapshot, after: Snapshot, copiedAt: number): void {
  let [equal, rewritten] = [0, 0];
  for (const [key, object] of before) {
    const found = after.get(key);
    if (found === undefined && passing.test(key)) continue;
    if (found === undefined) complain(`missing: ${key}`);
    else if (Number(found.metadata.resourceVersion) > copiedAt) rewritten += 1;
    else if (!isDeepStrictEqual(withoutVersion(object), withoutVersion(found)))
      complain(`differs: ${key}\n      - ${JSON.stringify(object)}\n      + ${JSON.stringify(found)}`);
    else equal += 1;
  }
  console.log(
    `    ${before.size} objects: ${equal} equal but for the resourceVersion, ${rewritten} written again at start`,
  );
}

function withoutVersion(object: StoredObject): object {
  return { ...object, metadata: { ...object.metadata, resourceVersion: undefined } };
}
