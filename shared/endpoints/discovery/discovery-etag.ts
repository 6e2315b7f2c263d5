import { createHash } from 'node:crypto';
import type { APIGroupDiscoveryList } from './api-group-discovery.ts';

/**
 * The entity tag of an aggregated document, quoted: SHA-512 in upper-case hex of its canonical JSON without kind and
 * apiVersion, so the tag equals the reference's for the same document. Responses with the tag carry `Vary: Accept` and
 * `Cache-Control: public`; an equal `If-None-Match` gets a 304.
 */
export function discoveryETag({ metadata, items }: APIGroupDiscoveryList): string {
  return `"${createHash('sha512').update(JSON.stringify({ metadata, items })).digest('hex').toUpperCase()}"`;
}
