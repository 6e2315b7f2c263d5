import { hash } from 'node:crypto';
import type { MetricsRegistry } from '#shared/observability/metrics/registry.ts';

type FetchResult = 'success' | 'failure';

/** What is known of the keys of an issuer. */
interface KeySetState {
  readonly fetchedSeconds: Map<FetchResult, number>;
  hash: string | undefined;
}

const prefix = 'apiserver_authentication_jwt_authenticator';
const latencyBuckets = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** `apiserver_authentication_jwt_authenticator_*` (apiserver/plugin/pkg/authenticator/token/oidc, metrics.go). */
export class JwtMetrics {
  readonly #server: string;
  readonly #latency: { observe(seconds: number, ...labels: readonly string[]): void };
  readonly #keySets = new Map<string, KeySetState>();

  /** @param serverId the identity of this server process */
  constructor(metrics: MetricsRegistry, serverId: string) {
    this.#server = shortHash(serverId);
    this.#latency = metrics.histogram(
      `${prefix}_latency_seconds`,
      '[ALPHA] Latency of jwt authentication operations in seconds, for tokens that are not cached.',
      ['jwt_issuer_hash', 'result'],
      latencyBuckets,
    );
    metrics.gauges(
      `${prefix}_jwks_fetch_last_timestamp_seconds`,
      '[ALPHA] Time of the last fetch of a key set by result, server and issuer, in seconds since 1970.',
      ['apiserver_id_hash', 'jwt_issuer_hash', 'result'],
      () =>
        [...this.#keySets].flatMap(([issuer, { fetchedSeconds }]) =>
          [...fetchedSeconds].map(([result, seconds]) => [[this.#server, issuer, result], seconds] as const),
        ),
    );
    metrics.gauges(
      `${prefix}_jwks_fetch_last_key_set_info`,
      '[ALPHA] Information about the last JWKS fetched by the JWT authenticator with hash as label, split by api server identity and jwt issuer.',
      ['apiserver_id_hash', 'hash', 'jwt_issuer_hash'],
      () =>
        [...this.#keySets].flatMap(([issuer, { hash: known }]) =>
          known === undefined ? [] : [[[this.#server, known, issuer], 1] as const],
        ),
      { reset: 'never' },
    );
  }

  /** Notes that a token was checked. */
  checked(result: FetchResult, issuer: string, seconds: number): void {
    this.#latency.observe(seconds, shortHash(issuer), result);
  }

  /** Notes a fetch of an issuer's key set; undefined: it failed. */
  fetched(issuer: string, keySet: string | undefined): void {
    const key = shortHash(issuer);
    let state = this.#keySets.get(key);
    if (state === undefined) this.#keySets.set(key, (state = { fetchedSeconds: new Map(), hash: undefined }));
    state.fetchedSeconds.set(keySet === undefined ? 'failure' : 'success', Date.now() / 1000);
    if (keySet !== undefined) state.hash = shortHash(keySet);
  }

  /** Forgets the key set of an issuer that is not configured any more. */
  forget(issuer: string): void {
    this.#keySets.delete(shortHash(issuer));
  }
}

function shortHash(text: string): string {
  return text === '' ? '' : `sha256:${hash('sha256', text)}`;
}
