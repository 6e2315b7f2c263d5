import { resourceFromAttributes } from '@opentelemetry/resources';
import { AlwaysOnSampler, TracerProvider } from '@opentelemetry/sdk-trace';
import type { EgressDial } from '#shared/egress/dial/egress-dial.ts';
import type { SpanSource } from '#shared/spans/request-span.ts';
import type { TracingConfiguration } from '#shared/tracing/configuration/tracing-configuration.ts';
import { CollectorClient } from '#shared/tracing/export/collector-client.ts';
import { collectorTarget } from '#shared/tracing/export/collector-target.ts';
import { SpanQueue, type SpanQueueOptions } from '#shared/tracing/export/span-queue.ts';
import { TraceSource } from './trace-source.ts';

/** No span keeps longer values, whatever clients send. */
const maxValueLength = 4096;

export interface ProviderOptions extends Pick<SpanQueueOptions, 'onSent' | 'onDropped'> {
  readonly configuration: TracingConfiguration;
  /** Of the process. */
  readonly instanceId: string;
  /** How connections are made; undefined for direct ones. */
  readonly dial: EgressDial | undefined;
}

/** OpenTelemetry's SDK with its queue and its connection. */
export interface SpanProvider {
  readonly source: SpanSource;
  /** Sends what waits, for at most this time; nothing is tried again from then on. */
  flush(forMs: number): Promise<void>;
  /** Drops what waits. */
  close(): void;
}

/** Whether a request is traced is decided before it comes to the SDK, so that other requests cost nothing here. */
export function startProvider({ configuration, instanceId, dial, ...told }: ProviderOptions): SpanProvider {
  const client = new CollectorClient(collectorTarget(configuration.endpoint), dial);
  const queue = new SpanQueue({ send: (spans) => client.send(spans), ...told });
  const provider = new TracerProvider({
    sampler: new AlwaysOnSampler(),
    spanProcessors: [queue],
    spanLimits: { attributeValueLengthLimit: maxValueLength },
    resource: resourceFromAttributes({ 'service.name': 'apiserver', 'service.instance.id': instanceId }),
  });
  return {
    source: new TraceSource(provider.getTracer('quarterdeck'), configuration.samplingRatio),
    async flush(forMs) {
      client.stopRepeating();
      const late = Promise.withResolvers<void>();
      const timer = setTimeout(late.resolve, forMs);
      await Promise.race([queue.forceFlush(), late.promise]);
      clearTimeout(timer);
    },
    close() {
      queue.stop();
      client.close();
    },
  };
}
