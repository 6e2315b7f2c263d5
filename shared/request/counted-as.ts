import { Buffer } from 'node:buffer';

/** Labels of a path that is counted as one, whatever is asked of it. */
export interface CountedPath {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource: string;
  readonly component: string;
}

/**
 * As what a request is counted (apiserver/pkg/endpoints/metrics): the reference counts the handlers of resources and of
 * a few paths. Custom resources are counted by what the request says of itself, built-in ones by their path.
 */
export type CountedAs = 'built-in' | 'custom' | CountedPath;

export function countedPath(subresource: string, component = ''): CountedPath {
  return { group: '', version: '', resource: '', subresource, component };
}

/**
 * What a backend sends to the gateway before its answer when no route took the request: it is not counted. The first
 * byte is one that no message about audit events begins with.
 */
export const notCounted: Uint8Array = Buffer.of(0x10);

export function isNotCounted(note: Uint8Array): boolean {
  return note[0] === notCounted[0];
}
