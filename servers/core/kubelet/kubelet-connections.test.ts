import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { TLSSocket } from 'node:tls';
import { nodeStrategy } from '#servers/core/apis/core/nodes/nodes.ts';
import { CoreInMemory } from '#servers/core/controllers/testing/core-in-memory.ts';
import { defaultDependencies } from '#servers/core/testing/default-dependencies.ts';
import type { StatusError } from '#shared/apimachinery/errors/status.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { systemContext } from '#shared/registry/system-context.ts';
import type { RequestContext } from '#shared/request/request-context.ts';
import { resolveServerOptions } from '#shared/server/options/server-options.ts';
import { createTestCa, type TestCa } from '#shared/server/testing/certificates.ts';
import { KubeletConnections } from './kubelet-connections.ts';

const folder = mkdtempSync(join(tmpdir(), 'quarterdeck-kubelet-'));
const at = (name: string): string => join(folder, name);
const ofPods = { info: { apiGroup: '', resource: 'pods' } } as RequestContext;
let memory: CoreInMemory;
let ca: TestCa;
let server: ReturnType<typeof createServer>;

/** A kubelet that answers with the common name of its caller. */
before(async () => {
  memory = new CoreInMemory([{ group: '', resource: 'nodes', strategy: nodeStrategy(defaultDependencies) }]);
  ca = await createTestCa();
  const serving = await ca.issue('CN=kubelet', 'server');
  server = createServer({ ...serving, ca: ca.cert, requestCert: true, rejectUnauthorized: false }, (incoming, answer) =>
    answer.end(String((incoming.socket as TLSSocket).getPeerCertificate().subject?.CN)),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  writeFileSync(at('ca.crt'), ca.cert);
  writeFileSync(at('serving.crt'), serving.cert);
});

after(() => {
  server.close();
  memory.close();
  rmSync(folder, { recursive: true, force: true });
});

async function addNode(name: string, status: JsonObject): Promise<void> {
  await memory.core
    .store('', 'nodes')
    .create({ apiVersion: 'v1', kind: 'Node', metadata: { name }, spec: {}, status }, systemContext());
}

async function useCertificate(name: string): Promise<void> {
  const pair = await ca.issue(`CN=${name}`, 'client');
  writeFileSync(at('client.key'), pair.key);
  writeFileSync(at('client.crt'), pair.cert);
}

function connections(changed: Parameters<typeof resolveServerOptions>[0] = {}): KubeletConnections {
  return new KubeletConnections(
    resolveServerOptions({
      kubeletClientCertificate: at('client.crt'),
      kubeletClientKey: at('client.key'),
      kubeletCertificateAuthority: at('ca.crt'),
      ...changed,
    }),
    memory.core,
    () => undefined,
  );
}

async function ask(kubelets: KubeletConnections, skipVerify = false): Promise<string> {
  const { port } = server.address() as AddressInfo;
  return new Promise((resolve, reject) => {
    request(
      { host: '127.0.0.1', port, agent: kubelets.agent(skipVerify) },
      (answer) => void answer.toArray().then((chunks) => resolve(String(Buffer.concat(chunks as Buffer[]))), reject),
    )
      .on('error', reject)
      .end();
  });
}

describe('KubeletConnections', () => {
  test('finds a kubelet by the preferred address type in the node status', async () => {
    await addNode('a', {
      addresses: [
        { type: 'InternalIP', address: '10.1.2.3' },
        { type: 'Hostname', address: 'a.example' },
      ],
      daemonEndpoints: { kubeletEndpoint: { Port: 10_300 } },
      declaredFeatures: ['ExtendWebSocketsToKubelet'],
    });
    await addNode('six', { addresses: [{ type: 'InternalIP', address: 'fd00::1' }] });
    const usual = connections();
    assert.deepEqual(await usual.find(ofPods, 'a'), {
      scheme: 'https',
      hostname: 'a.example',
      port: 10_300,
      authority: 'a.example:10300',
      declaredFeatures: ['ExtendWebSocketsToKubelet'],
    });
    assert.equal(
      (await connections({ kubeletPreferredAddressTypes: ['InternalIP'] }).find(ofPods, 'a')).hostname,
      '10.1.2.3',
    );
    assert.equal((await usual.find(ofPods, 'six')).authority, '[fd00::1]:10250');
  });

  test('returns the error of the reference for a missing node and for a node without such an address', async () => {
    await addNode('away', {
      addresses: [
        { type: 'InternalIP', address: '10.1.2.4' },
        { type: 'ExternalIP', address: '1.2.3.4' },
      ],
    });
    await assert.rejects(
      connections().find(ofPods, 'none'),
      ({ code, message }: StatusError) => code === 404 && message === 'pods "none" not found',
    );
    await assert.rejects(
      connections({ kubeletPreferredAddressTypes: ['Hostname'] }).find(ofPods, 'away'),
      ({ code, message }: StatusError) =>
        code === 500 &&
        message === 'no preferred addresses found; known addresses: [{InternalIP 10.1.2.4} {ExternalIP 1.2.3.4}]',
    );
  });

  test('presents the client certificate and reloads it when its file changes', async () => {
    await useCertificate('first');
    const kubelets = connections();
    assert.equal(await ask(kubelets), 'first');
    await useCertificate('second');
    // Files are looked at soon after they change; each answer is a look at what is shown by now.
    while ((await ask(kubelets)) !== 'second') continue;
    kubelets.close();
  });

  test('verifies the kubelet certificate when a CA is given, unless the request skips verification', async () => {
    await useCertificate('careful');
    const other = await createTestCa('CN=another');
    writeFileSync(at('other.crt'), other.cert);
    const careful = connections({ kubeletCertificateAuthority: at('other.crt') });
    await assert.rejects(ask(careful), { code: 'SELF_SIGNED_CERT_IN_CHAIN' });
    assert.equal(await ask(careful, true), 'careful');
    careful.close();
    const pinned = connections({ kubeletCertificateAuthority: at('serving.crt') });
    assert.equal(await ask(pinned), 'careful');
    pinned.close();
    const trusting = connections({ kubeletCertificateAuthority: '' });
    assert.equal(await ask(trusting), 'careful');
    trusting.close();
  });
});
