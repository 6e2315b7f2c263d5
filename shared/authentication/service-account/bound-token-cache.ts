import { LRUCache } from 'lru-cache';
import type {
  AuthenticationAnswer,
  AuthenticationResult,
  TokenAuthenticator,
} from '#shared/authentication/contract/authenticator.ts';
import type { TokenCacheMetrics } from '#shared/authentication/token-cache/token-cache-metrics.ts';
import { tokenKey } from '#shared/authentication/token-cache/token-key.ts';
import { boundObjectKey, type TokenObjects, type FollowedDeletions, type ReadBoundObject } from './bound-objects.ts';

/** Checks a token by the objects that it is bound to. */
export interface BoundTokenChecker {
  checkToken(
    token: string,
    audiences: readonly string[],
    read: ReadBoundObject,
  ): AuthenticationAnswer | Promise<AuthenticationAnswer>;
}

/** Objects change otherwise than by deletion, too, and signing keys expire tokens. */
const ttlMs = 10_000;
/** How long a check counts while deletions may not be heard of. */
const unheardTtlMs = 1000;
const maxTokens = 4096;

interface Check {
  readonly key: string;
  /** Keys of the objects that were read for it. */
  readonly objects: Set<string>;
  readonly atMs: number;
  result: AuthenticationResult | undefined;
  /** An object was deleted. */
  isVoid: boolean;
}

/**
 * Keeps accepted tokens for ten seconds, and no longer than the objects that they are bound to: each deletion is heard
 * of by watch, and ends the tokens of its object. While the watch is broken, a token counts for one second. Concurrent
 * calls for the same token share a check, unless an object was deleted meanwhile.
 */
export class BoundTokenCache implements TokenAuthenticator {
  readonly #checker: BoundTokenChecker;
  readonly #objects: TokenObjects;
  readonly #metrics: TokenCacheMetrics;
  readonly #now: () => number;
  readonly #known: LRUCache<string, Check>;
  readonly #asking = new Map<string, { readonly check: Check; readonly answer: Promise<AuthenticationAnswer> }>();
  /** Checks by the keys of objects, those under way included. */
  readonly #dependents = new Map<string, Set<Check>>();
  #deletions: FollowedDeletions | undefined;

  constructor(
    checker: BoundTokenChecker,
    objects: TokenObjects,
    metrics: TokenCacheMetrics,
    now: () => number = () => performance.now(),
  ) {
    this.#checker = checker;
    this.#objects = objects;
    this.#metrics = metrics;
    this.#now = now;
    this.#known = new LRUCache({ max: maxTokens, dispose: (check) => this.#forget(check) });
  }

  authenticateToken(token: string, audiences: readonly string[]): AuthenticationAnswer | Promise<AuthenticationAnswer> {
    const key = tokenKey(token, audiences);
    if (key === undefined) return this.#checker.checkToken(token, audiences, this.#objects.read);
    const known = this.#known.get(key);
    if (known !== undefined && this.#counts(known)) {
      this.#metrics.hit();
      return known.result;
    }
    const answer = this.#asking.get(key)?.answer ?? this.#ask(key, token, audiences);
    return answer instanceof Promise ? this.#metrics.missed(answer) : answer;
  }

  close(): void {
    this.#deletions?.close();
  }

  #counts({ atMs }: Check): boolean {
    const ageMs = this.#now() - atMs;
    return ageMs < ttlMs && (ageMs < unheardTtlMs || this.#deletions?.isCurrent === true);
  }

  #ask(key: string, token: string, audiences: readonly string[]): AuthenticationAnswer | Promise<AuthenticationAnswer> {
    const check: Check = { key, objects: new Set(), atMs: this.#now(), result: undefined, isVoid: false };
    const answer = this.#checker.checkToken(token, audiences, (resource, namespace, name) => {
      this.#deletions ??= this.#objects.follow({
        onDeleted: (object) => this.#drop(object),
        onGap: () => this.#dropAll(),
      });
      const object = boundObjectKey(resource, namespace, name);
      if (object !== undefined) this.#link(object, check);
      return this.#objects.read(resource, namespace, name);
    });
    if (!(answer instanceof Promise)) return answer;
    const shared = this.#metrics
      .fetched(answer)
      .then((result) => this.#keep(check, result))
      .finally(() => this.#end(check));
    this.#asking.set(key, { check, answer: shared });
    return shared;
  }

  #keep(check: Check, result: AuthenticationAnswer): AuthenticationAnswer {
    if (result === undefined || check.isVoid) return result;
    check.result = result;
    this.#known.set(check.key, check);
    return result;
  }

  #end(check: Check): void {
    if (this.#asking.get(check.key)?.check === check) this.#asking.delete(check.key);
    if (this.#known.peek(check.key) !== check) this.#forget(check);
  }

  /** Links a check to an object before it is read, so that a deletion after the read is not missed. */
  #link(object: string, check: Check): void {
    check.objects.add(object);
    const dependents = this.#dependents.get(object);
    if (dependents === undefined) this.#dependents.set(object, new Set([check]));
    else dependents.add(check);
  }

  #forget(check: Check): void {
    for (const object of check.objects) {
      const dependents = this.#dependents.get(object);
      dependents?.delete(check);
      if (dependents?.size === 0) this.#dependents.delete(object);
    }
    check.objects.clear();
  }

  #drop(object: string): void {
    for (const check of this.#dependents.get(object) ?? []) this.#void(check);
  }

  #dropAll(): void {
    for (const { check } of this.#asking.values()) this.#void(check);
    this.#known.clear();
  }

  #void(check: Check): void {
    check.isVoid = true;
    if (this.#known.peek(check.key) === check) this.#known.delete(check.key);
    if (this.#asking.get(check.key)?.check === check) this.#asking.delete(check.key);
  }
}
