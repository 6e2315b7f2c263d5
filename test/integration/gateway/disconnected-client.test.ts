import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { createTestCa } from '#shared/server/testing/certificates.ts';
import { http1Client, http2Client, type ApiClient } from '#test/api-client.ts';
import { startHostedCluster, type HostedCluster } from '#test/integration/one-process/start-cluster.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';
const configurations = '/apis/admissionregistration.k8s.io/v1';

let cluster: HostedCluster;
let admin: ApiClient;
/** Answers a review of an object whose name begins with `hangs` never. */
let webhook: Server;
/** The names of the objects that the webhook was asked about. */
const reviewed: string[] = [];
/** Of the next review that is not answered. */
let hanging = Promise.withResolvers<{ readonly ended: Promise<unknown> }>();

async function startWebhook(): Promise<object> {
  const ca = await createTestCa('CN=webhook-ca');
  const serving = await ca.issue('CN=webhook', 'server', undefined, 'localhost');
  webhook = createServer(serving, (request, response) => {
    let text = '';
    request.on('data', (chunk) => (text += String(chunk)));
    request.on('end', () => {
      const { apiVersion, kind, request: asked } = JSON.parse(text) as Record<string, Record<string, string>>;
      reviewed.push(asked?.['name'] ?? '');
      if (asked?.['name']?.startsWith('hangs') === true) hanging.resolve({ ended: once(response, 'close') });
      else response.end(JSON.stringify({ apiVersion, kind, response: { uid: asked?.['uid'], allowed: true } }));
    });
  });
  await new Promise<void>((resolve) => webhook.listen(0, '127.0.0.1', resolve));
  const url = `https://localhost:${(webhook.address() as AddressInfo).port}/`;
  return { url, caBundle: Buffer.from(ca.cert).toString('base64') };
}

async function configure(kind: 'mutating' | 'validating', clientConfig: object): Promise<void> {
  const body = {
    metadata: { name: kind },
    webhooks: [
      {
        name: `${kind}.quarterdeck.example`,
        clientConfig,
        objectSelector: { matchLabels: { by: kind } },
        rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['configmaps'] }],
        failurePolicy: 'Ignore',
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
        timeoutSeconds: 30,
      },
    ],
  };
  const { status } = await admin.send('POST', `${configurations}/${kind}webhookconfigurations`, { body });
  assert.equal(status, 201);
}

/** Creates an object by a client that is gone once its webhook is asked; resolves at the end of that call. */
async function createAndLeave(client: ApiClient, name: string, kind: string): Promise<void> {
  hanging = Promise.withResolvers();
  const body = { metadata: { name, labels: { by: kind } } };
  const sent = client.send('POST', configMaps, { body }).catch(() => undefined);
  const call = await hanging.promise;
  client.close();
  await call.ended;
  await sent;
}

describe('a client that disconnects', () => {
  before(async () => {
    cluster = await startHostedCluster();
    admin = http2Client(cluster);
    const clientConfig = await startWebhook();
    await configure('mutating', clientConfig);
    await configure('validating', clientConfig);
  });
  after(async () => {
    admin?.close();
    webhook?.closeAllConnections();
    webhook?.close();
    await cluster?.close();
  });

  for (const [kind, clientOf] of Object.entries({ mutating: http2Client, validating: http1Client }))
    test(`ends the call of a ${kind} webhook, and nothing is written, though failures are ignored`, async () => {
      // The webhook acts once its configuration has come to the watch cache.
      for (let index = 0; !reviewed.some((name) => name.startsWith(kind)); index++)
        await admin.send('POST', configMaps, {
          body: { metadata: { name: `${kind}-${index}`, labels: { by: kind } } },
        });
      await createAndLeave(clientOf(cluster), `hangs-${kind}`, kind);
      // A later write is answered after what an earlier one would have written.
      const { status } = await admin.send('POST', configMaps, { body: { metadata: { name: `after-${kind}` } } });
      assert.equal(status, 201);
      assert.equal((await admin.send('GET', `${configMaps}/hangs-${kind}`)).status, 404);
    });
});
