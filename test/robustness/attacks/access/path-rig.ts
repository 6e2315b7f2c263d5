import type { IncomingMessage } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { createTestCa } from '#shared/server/testing/certificates.ts';
import { JsonClient } from '#test/json-client.ts';
import { adminToken } from '#test/tokens.ts';

/**
 * Of the registered server, which tells the target and `X-Forwarded-Uri` of what it receives, as a refusal of an
 * upgrade too.
 */
export const echoRoot = '/apis/echo.example/v1';
export const customRoot = '/apis/paths.example/v1';

/** Flags with which the reference finds a server behind the name of this machine. */
export const resolvesNames = ['--enable-aggregator-routing=false'];

/** Custom resources of both scopes and a registered server, on each of the servers. */
export async function preparePaths(urls: readonly string[]): Promise<{ close(): void }> {
  const ca = await createTestCa('CN=echo-ca');
  const serving = await ca.issue('CN=echo', 'server', undefined, 'echo.default.svc');
  const server = createServer({ key: serving.key, cert: serving.cert }, (request, response) => {
    if (request.url === echoRoot)
      response
        .setHeader('content-type', 'application/json')
        .end(JSON.stringify({ kind: 'APIResourceList', groupVersion: 'echo.example/v1', resources: [] }));
    else response.setHeader('content-type', 'text/plain').end(echoOf(request));
  });
  server.on('upgrade', (request: IncomingMessage, socket: Duplex) => {
    const text = echoOf(request);
    socket.end(
      `HTTP/1.1 403 Forbidden\r\nContent-Type: text/plain\r\nContent-Length: ${Buffer.byteLength(text)}\r\nConnection: close\r\n\r\n${text}`,
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await Promise.all(urls.map((url) => prepare(url, port, Buffer.from(ca.cert).toString('base64'))));
  return {
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function echoOf({ method, url, headers }: IncomingMessage): string {
  return `${method} ${url} ${headers['x-forwarded-uri'] === undefined ? '' : String(headers['x-forwarded-uri'])}`;
}

async function prepare(url: string, port: number, caBundle: string): Promise<void> {
  const admin = new JsonClient(url, adminToken);
  const create = async (path: string, body: object): Promise<void> => {
    const { status } = await admin.call('POST', path, body);
    if (status !== 201) throw new Error(`${path} could not be created: ${status}`);
  };
  await create('/api/v1/namespaces/default/services', {
    metadata: { name: 'echo' },
    spec: { type: 'ExternalName', externalName: 'localhost' },
  });
  await create('/apis/apiregistration.k8s.io/v1/apiservices', {
    metadata: { name: 'v1.echo.example' },
    spec: {
      group: 'echo.example',
      version: 'v1',
      groupPriorityMinimum: 100,
      versionPriority: 10,
      caBundle,
      service: { namespace: 'default', name: 'echo', port },
    },
  });
  for (const [plural, kind, scope] of [
    ['widgets', 'Widget', 'Namespaced'],
    ['gadgets', 'Gadget', 'Cluster'],
  ] as const) {
    await create('/apis/apiextensions.k8s.io/v1/customresourcedefinitions', {
      metadata: { name: `${plural}.paths.example` },
      spec: {
        group: 'paths.example',
        scope,
        names: { plural, kind, singular: kind.toLowerCase() },
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
            subresources: {
              status: {},
              scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
            },
          },
        ],
      },
    });
  }
  for (const path of [echoRoot, `${customRoot}/widgets`, `${customRoot}/gadgets`]) {
    while ((await admin.call('GET', path)).status !== 200) await pause(50);
  }
}
