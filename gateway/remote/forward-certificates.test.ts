import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import type { OutgoingHeaders } from '#shared/request/exchange.ts';
import type { RequestAudit } from '#shared/request/request-audit.ts';
import { RequestState } from '#shared/server/request-state.ts';
import { forwardRemote, remoteCertificates } from './forward-remote.ts';
import type { RemoteServer } from './remote-server.ts';
import { startRemote } from './testing/remote-rig.ts';

const rig = await startRemote((_request, response) => {
  response.end('done');
});
after(() => rig.close());
rig.server.setSecureContext(await rig.ca.issue('CN=s.default.svc', 'server', undefined, ''));

/** What a GET is answered, and what its audit events tell. */
async function askedOf(server: RemoteServer): Promise<{ answer: unknown[]; annotations: Record<string, string> }> {
  const annotations: Record<string, string> = {};
  return await new Promise((resolve) => {
    const exchange = {
      method: 'GET',
      path: '/apis/f.io/v1/fruits',
      query: '',
      headers: {},
      rawHeaders: [],
      remoteAddress: '10.0.0.1',
      hasBody: false,
      onClose: () => undefined,
      send: (status: number, _headers: OutgoingHeaders, body: string | Uint8Array) =>
        resolve({ answer: [status, Buffer.from(body).toString()], annotations }),
    };
    const context = new RequestState(exchange as never);
    context.info = { isResourceRequest: true, path: exchange.path } as never;
    context.user = { name: 'bob', uid: '', groups: [], extra: {} };
    context.audit = {
      noteIfGivenUp: () => undefined,
      annotate: (key: string, value: string) => void (annotations[key] = value),
    } as unknown as RequestAudit;
    void forwardRemote(context, server);
  });
}

function counted(): number[] {
  return remoteCertificates.families().flatMap((family) => [...family.samples()].map(({ value }) => Number(value)));
}

describe('forward to a registered server without alternative names in its certificate', () => {
  const annotations = {
    'missing-san.invalid-cert.kubernetes.io/127.0.0.1':
      'relies on a legacy Common Name field instead of the SAN extension for subject validation',
  };

  test('answers 503, and tells the audit and the metrics why', async () => {
    const [before = 0] = counted();
    const text =
      'error trying to reach service: tls: failed to verify certificate: x509: certificate relies on legacy Common ' +
      'Name field, use SANs instead\n';
    assert.deepEqual(await askedOf(rig.view(rig.ca.cert)), { answer: [503, text], annotations });
    assert.deepEqual(counted(), [before + 1, 0]);
  });

  test('passes requests on where certificates are not verified, and tells the same of each', async () => {
    const [before = 0] = counted();
    const server = rig.view('', false, true);
    for (const _request of [1, 2]) assert.deepEqual(await askedOf(server), { answer: [200, 'done'], annotations });
    assert.deepEqual(counted(), [before + 2, 0]);
  });
});
