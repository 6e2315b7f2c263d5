import type { CacheEntry } from '#shared/watchcache/watch-cache.ts';
import { candidateOf, type Candidate } from './candidate.ts';

/** All LeaseCandidates, by the Lease that they want to hold: `namespace/name`. */
export class Candidacies {
  readonly #byLease = new Map<string, Map<string, Candidate>>();
  /** The lease of each candidate, by the candidate's storage key. */
  readonly #leases = new Map<string, string>();

  set(entry: CacheEntry): { readonly key: string; readonly candidate: Candidate } {
    const candidate = candidateOf(entry);
    // A namespace has no slash, so no other lease has this key.
    const key = `${candidate.namespace}/${candidate.leaseName}`;
    const others = this.#byLease.get(key) ?? new Map<string, Candidate>();
    this.#byLease.set(key, others.set(entry.key, candidate));
    this.#leases.set(entry.key, key);
    return { key, candidate };
  }

  /** Returns the lease of the removed candidate, if there was one. */
  delete(entry: Pick<CacheEntry, 'key'>): string | undefined {
    const key = this.#leases.get(entry.key);
    if (key === undefined) return undefined;
    this.#leases.delete(entry.key);
    const others = this.#byLease.get(key);
    others?.delete(entry.key);
    if (others?.size === 0) this.#byLease.delete(key);
    return key;
  }

  has(lease: string): boolean {
    return this.#byLease.has(lease);
  }

  of(lease: string): Candidate[] {
    return [...(this.#byLease.get(lease)?.values() ?? [])];
  }

  keys(): Iterable<string> {
    return this.#byLease.keys();
  }

  clear(): void {
    this.#byLease.clear();
    this.#leases.clear();
  }
}
