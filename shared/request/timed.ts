import type { LatencyLayer } from './latency-layers.ts';
import type { RequestAudit } from './request-audit.ts';

/** The call that has just begun; notes how long it takes where the request is audited. */
export function timed<T>(audit: RequestAudit | undefined, layer: LatencyLayer, call: Promise<T>): Promise<T> {
  return audit === undefined ? call : timedCall(audit, layer, call);
}

async function timedCall<T>(audit: RequestAudit, layer: LatencyLayer, call: Promise<T>): Promise<T> {
  const startedMs = performance.now();
  try {
    return await call;
  } finally {
    audit.noteLatency(layer, performance.now() - startedMs);
  }
}
