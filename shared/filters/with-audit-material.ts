import { Buffer } from 'node:buffer';
import type { MaterialOptions } from '#shared/audit/material/audit-material.ts';
import { HopMaterial, materialHeader } from '#shared/audit/material/hop-material.ts';
import { headerValue } from '#shared/request/header-values.ts';
import type { Filter } from '#shared/request/request-context.ts';

const longestHeader = 8 * 1024;
/** The gateway tells of latencies above 500 ms, and ends requests a little later than a backend. */
const maybeSlowMs = 450;

/**
 * The backend's part in audit events: collects for requests of which the gateway writes events what only the backend
 * knows, and sends it before the answer ends.
 */
export function withAuditMaterial(onConflict: MaterialOptions['onConflict']): Filter {
  return (next) => (context) => {
    const { exchange } = context;
    const header = headerValue(exchange, materialHeader);
    if (header === '') return next(context);
    const kept: Uint8Array[] = [];
    const send = (message: Uint8Array): void => {
      if (exchange.sendNote === undefined) kept.push(message);
      else exchange.sendNote(message);
    };
    const material = new HopMaterial(header, onConflict, { send, readsBody: exchange.sendNote !== undefined });
    context.audit = material;
    // Streams over HTTP/1.1 have no room for more than what is known when they begin.
    const tellIfSlow = (): void => {
      if (performance.now() - context.receivedAtMs > maybeSlowMs) material.tellLatencies();
    };
    exchange.onComplete(tellIfSlow);
    exchange.onAnswer(() => {
      tellIfSlow();
      material.begin();
      if (kept.length > 0) exchange.setHeader(materialHeader, headerOf(kept));
    });
    return next(context);
  };
}

/** HTTP/1.1 has room for messages in a header of the answer: streams and proxies have no objects, but in errors. */
function headerOf(messages: readonly Uint8Array[]): string {
  const texts = messages.map((message) => Buffer.from(message).toString('base64'));
  // The last message holds the annotations and the Status.
  while (texts.length > 1 && texts.join().length > longestHeader) texts.shift();
  return texts.join();
}
