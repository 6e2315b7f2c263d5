import { GrpcError } from '#shared/grpc/grpc-error.ts';
import { Counter } from '#shared/observability/metrics/counter.ts';
import type { Family } from '#shared/observability/metrics/family.ts';
import { gaugeFamily } from '#shared/observability/metrics/gauge.ts';
import { Histogram } from '#shared/observability/metrics/histogram.ts';

const prefix = 'apiserver_externaljwt';
const buckets = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/** The families of an external signer (pkg/serviceaccount/externaljwt/metrics). */
export class SignerMetrics {
  readonly families: readonly Family[];
  readonly #fetches = new Counter(`${prefix}_fetch_keys_request_total`, '[ALPHA] Attempts to fetch keys.', ['code']);
  readonly #signs = new Counter(`${prefix}_sign_request_total`, '[ALPHA] Attempts to sign tokens.', ['code']);
  readonly #calls = new Histogram(
    `${prefix}_request_duration_seconds`,
    '[ALPHA] Time of calls of the external signer.',
    ['method', 'code'],
    buckets,
  );
  #fetchedSeconds: number | undefined;
  #dataSeconds: number | undefined;

  constructor() {
    this.families = [
      this.#fetches,
      this.#signs,
      this.#calls,
      gauge(
        `${prefix}_fetch_keys_success_timestamp`,
        '[ALPHA] When keys were last fetched.',
        () => this.#fetchedSeconds,
      ),
      gauge(
        `${prefix}_fetch_keys_data_timestamp`,
        '[ALPHA] The time that the signer told of its data when keys were last fetched.',
        () => this.#dataSeconds,
      ),
    ];
  }

  called(method: string, code: string, seconds: number): void {
    this.#calls.observe(seconds, method, code);
  }

  fetched({ error, dataSeconds }: { readonly error?: unknown; readonly dataSeconds?: number }): void {
    this.#fetches.add(codeOf(error));
    if (error !== undefined) return;
    this.#fetchedSeconds = Date.now() / 1000;
    this.#dataSeconds = dataSeconds;
  }

  signed(error: unknown): void {
    this.#signs.add(codeOf(error));
  }
}

function gauge(name: string, help: string, read: () => number | undefined): Family {
  return gaugeFamily({ name, help, labelNames: [] }, () => {
    const value = read();
    return value === undefined ? [] : [[[], value]];
  });
}

/** The code of the call that failed, where there was one. */
function codeOf(error: unknown): string {
  if (error === undefined) return 'OK';
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause)
    if (cause instanceof GrpcError) return cause.code;
  return 'unknown-non-grpc';
}
