import { Counter } from '#shared/observability/metrics/counter.ts';
import type { Family } from '#shared/observability/metrics/family.ts';
import { Histogram } from '#shared/observability/metrics/histogram.ts';
import { childSpan, outsideSpans } from '#shared/spans/active-span.ts';
import { EgressError, type EgressDial } from './dial/egress-dial.ts';

/** How a proxy is reached, in the words of the labels. */
export interface DialLabels {
  readonly protocol: 'http_connect' | 'grpc';
  readonly transport: 'tcp' | 'uds';
}

/**
 * Counts connections that are made through proxies, each of which is a span of the request that it is made for
 * (apiserver/pkg/server/egressselector, egress_selector.go).
 */
export class EgressMetrics {
  readonly #starts = new Counter(
    'apiserver_egress_dialer_dial_start_total',
    '[ALPHA] Connections begun through proxies, by protocol and transport.',
    ['protocol', 'transport'],
  );
  readonly #latencies = new Histogram(
    'apiserver_egress_dialer_dial_duration_seconds',
    '[ALPHA] Seconds that making a connection through a proxy took, by protocol and transport.',
    ['protocol', 'transport'],
    [0.005, 0.025, 0.1, 0.5, 2.5, 12.5],
  );
  readonly #failures = new Counter(
    'apiserver_egress_dialer_dial_failure_count',
    '[ALPHA] Connections that could not be made through proxies, by protocol, transport and stage (connect, proxy).',
    ['protocol', 'transport', 'stage'],
  );

  families(): Family[] {
    return [this.#starts, this.#latencies, this.#failures];
  }

  /** The same connections, counted. */
  counted(dial: EgressDial, { protocol, transport }: DialLabels): EgressDial {
    const name = `Proxy via ${protocol} protocol over ${transport}`;
    return async (address, signal) => {
      const beganMs = performance.now();
      const span = childSpan(name, { address });
      this.#starts.add(protocol, transport);
      try {
        // The connection outlives the request that it is made for.
        const socket = await outsideSpans(() => dial(address, signal));
        this.#latencies.observe((performance.now() - beganMs) / 1000, protocol, transport);
        return socket;
      } catch (error) {
        this.#failures.add(protocol, transport, error instanceof EgressError ? error.stage : 'connect');
        throw error;
      } finally {
        span?.end();
      }
    };
  }
}
