import { Counter } from '#shared/observability/metrics/counter.ts';
import type { Family } from '#shared/observability/metrics/family.ts';
import type { Weakness } from './weak-certificates.ts';

/**
 * Counts calls of servers with outdated certificates (kube-aggregator/pkg/apiserver/metrics.go and
 * apiserver/pkg/util/webhook/metrics.go).
 */
export class CertificateCounters {
  readonly #counters: Readonly<Record<Weakness, Counter>>;

  /** @param callers `kube_aggregator` or `webhooks` */
  constructor(callers: string) {
    const counter = (name: string, what: string): Counter =>
      new Counter(
        `apiserver_${callers}_x509_${name}_total`,
        `[ALPHA] Requests to servers, and connections that failed, with ${what}.`,
        [],
      );
    this.#counters = {
      'missing-san': counter('missing_san', 'a serving certificate without the SAN extension'),
      'insecure-sha1': counter('insecure_sha1', 'a serving certificate that is signed with SHA-1'),
    };
  }

  count(weakness: Weakness): void {
    this.#counters[weakness].add();
  }

  families(): Family[] {
    return Object.values(this.#counters);
  }
}
