import type { EgressDial } from '#shared/egress/dial/egress-dial.ts';
import { limitRepeatedErrors } from '#shared/observability/limit-repeated-errors.ts';
import type { Logger } from '#shared/observability/logger.ts';
import { Counter } from '#shared/observability/metrics/counter.ts';
import type { Family } from '#shared/observability/metrics/family.ts';
import { traceBy } from '#shared/spans/active-span.ts';
import { readTracingConfiguration } from './configuration/tracing-configuration.ts';

/** How long the end of a process waits for a collector. */
const flushMs = 2_000;

export interface TracingOptions {
  /** `--tracing-config-file`; empty for no traces. */
  readonly file: string;
  /** The identity of the process. */
  readonly instanceId: string;
  /** How connections of the control plane are made; undefined for direct ones. */
  readonly dial: EgressDial | undefined;
  readonly logger: Logger;
}

/** The traces of this process. */
export interface Tracing {
  metrics(): Family[];
  /** At the end of a server: sends the spans that wait, if the collector takes them soon. */
  flush(): Promise<void>;
  /** Ends tracing. */
  close(): void;
}

/**
 * Turns tracing on for this process if there is a file. Only then OpenTelemetry's packages are loaded.
 * @throws ConfigurationError for a file that cannot be used
 */
export async function openTracing({ file, instanceId, dial, logger }: TracingOptions): Promise<Tracing | undefined> {
  if (file === '') return undefined;
  const configuration = readTracingConfiguration(file);
  const spans = new Counter(
    'quarterdeck_tracing_spans_total',
    'Spans by outcome: sent to the collector, or dropped, since it did not take them or too many waited.',
    ['outcome'],
  );
  const tell = limitRepeatedErrors((message, error) => logger.error(message, error));
  const { startProvider } = await import('./provider/start-provider.ts');
  const provider = startProvider({
    configuration,
    instanceId,
    dial,
    onSent: (number) => spans.addMany(number, 'sent'),
    onDropped(number, error) {
      spans.addMany(number, 'dropped');
      if (error !== undefined) tell('traces export', error);
    },
  });
  traceBy(provider.source);
  return {
    metrics: () => [spans],
    flush: () => provider.flush(flushMs),
    close() {
      traceBy(undefined);
      provider.close();
    },
  };
}
