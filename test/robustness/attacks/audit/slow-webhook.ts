import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { kubeconfigFor } from '#shared/audit/sinks/testing/event-server.ts';
import type { FaultyWebhook } from './hanging-webhook.ts';

export interface SlowWebhook extends FaultyWebhook {
  /** How many events it has taken. */
  taken(): number;
}

/** A webhook that takes all events, and lets each call wait so long for its answer. */
export async function startSlowWebhook(answersAfterMs: number): Promise<SlowWebhook> {
  let taken = 0;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('error', () => undefined);
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () =>
      setTimeout(() => {
        const { items } = JSON.parse(String(Buffer.concat(chunks))) as { readonly items: readonly unknown[] };
        taken += items.length;
        response.end();
      }, answersAfterMs),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    writeKubeconfig: (file) => writeFileSync(file, kubeconfigFor(`http://127.0.0.1:${port}/`)),
    taken: () => taken,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
