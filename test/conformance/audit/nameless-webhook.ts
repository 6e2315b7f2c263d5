import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createTestCa } from '#shared/server/testing/certificates.ts';

/** A webhook at `localhost` whose certificate has this as common name only. */
export interface NamelessWebhook {
  readonly port: number;
  readonly caBundle: string;
  close(): void;
}

export async function startNamelessWebhook(): Promise<NamelessWebhook> {
  const ca = await createTestCa('CN=nameless');
  const server = createServer(await ca.issue('CN=localhost', 'server', undefined, ''), (_request, response) =>
    response.end(),
  );
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    port: (server.address() as AddressInfo).port,
    caBundle: Buffer.from(ca.cert).toString('base64'),
    close: () => void server.close(),
  };
}
