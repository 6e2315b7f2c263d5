import { Buffer } from 'node:buffer';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { RemoteServer } from '#gateway/remote/remote-server.ts';
import { createTestCa } from '#shared/server/testing/certificates.ts';
import type { TestCa } from '#shared/server/testing/certificates.ts';

/** A registered API server on a free local port, and a RemoteServer that connects to it. */
export interface RemoteRig {
  readonly ca: TestCa;
  readonly server: Server;
  readonly remote: RemoteServer;
  /** How often a request could not reach the server. */
  readonly failures: () => number;
  /** The certificate that the server serves. */
  readonly serving: string;
  /** Creates another RemoteServer for it, with other certificate authorities. */
  view(caBundle: string, forwardsRedirects?: boolean, insecureSkipTLSVerify?: boolean): RemoteServer;
  close(): void;
}

export type Serve = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

export async function startRemote(serve: Serve): Promise<RemoteRig> {
  const ca = await createTestCa();
  const [serving, client] = await Promise.all([
    ca.issue('CN=s', 'server', undefined, 's.default.svc'),
    ca.issue('CN=front-proxy-client', 'client'),
  ]);
  const server = createServer(
    { key: serving.key, cert: serving.cert, ca: ca.cert, requestCert: true, rejectUnauthorized: false },
    (request, response) => void serve(request, response),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  let failures = 0;
  const views: RemoteServer[] = [];
  const view = (caBundle: string, forwardsRedirects = false, insecureSkipTLSVerify = false): RemoteServer => {
    const made = new RemoteServer({
      name: 'v1.f.io',
      resolve: () => `127.0.0.1:${port}`,
      clientCertificate: client,
      forwardsRedirects,
      onFailure: () => {
        failures++;
      },
      spec: {
        group: 'f.io',
        version: 'v1',
        groupPriorityMinimum: 100,
        versionPriority: 10,
        insecureSkipTLSVerify,
        caBundle: Buffer.from(caBundle).toString('base64'),
        service: { namespace: 'default', name: 's', port },
      },
    });
    views.push(made);
    return made;
  };
  return {
    ca,
    server,
    remote: view(ca.cert),
    failures: () => failures,
    serving: serving.cert,
    view,
    close() {
      for (const made of views) made.close();
      server.close();
      server.closeAllConnections();
    },
  };
}
