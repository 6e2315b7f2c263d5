import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createTestCa } from '#shared/server/testing/certificates.ts';

/** What is wrong with a certificate. */
export type CertificateFault = 'nameless' | 'sha1' | 'both';

/** A server at `localhost` that answers all with an empty list of resources, each on a connection of its own. */
export interface CertifiedServer {
  readonly port: number;
  /** PEM in base64. */
  readonly caBundle: string;
  /** From now on its certificate is the faulty one. */
  spoil(): void;
  close(): void;
}

/** @param name for which its first certificate is */
export async function startCertifiedServer(fault: CertificateFault, name: string): Promise<CertifiedServer> {
  const [good, weak] = await Promise.all([createTestCa('CN=good'), createTestCa('CN=weak', 'SHA-1')]);
  const authority = fault === 'nameless' ? good : weak;
  const faulty = await authority.issue(`CN=${name}`, 'server', undefined, fault === 'sha1' ? name : '');
  const server = createServer(await good.issue(`CN=${name}`, 'server', undefined, name), (request, response) => {
    request.resume();
    response.writeHead(200, { 'content-type': 'application/json', connection: 'close' });
    response.end(JSON.stringify({ kind: 'APIResourceList', apiVersion: 'v1', groupVersion: '', resources: [] }));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    port: (server.address() as AddressInfo).port,
    caBundle: Buffer.from(`${good.cert}\n${weak.cert}\n`).toString('base64'),
    spoil: () => server.setSecureContext(faulty),
    close: () => void server.close(),
  };
}
