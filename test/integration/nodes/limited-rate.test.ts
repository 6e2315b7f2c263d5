import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { startAnyCluster, type AnyCluster } from '#test/any-cluster.ts';
import { http2Client, type ApiClient } from '#test/api-client.ts';
import { addNodeWithPod, startFakeKubelet, type FakeKubelet } from './fake-kubelet.ts';
import { upgrade } from './upgrade-client.ts';

const bytesPerSecond = 500_000;
const pods = '/api/v1/namespaces/default/pods';
let cluster: AnyCluster;
let admin: ApiClient;
let kubelet: FakeKubelet;

before(async () => {
  cluster = await startAnyCluster({ flags: [`--max-connection-bytes-per-sec=${bytesPerSecond}`] });
  admin = http2Client(cluster);
  kubelet = await startFakeKubelet(cluster);
  await addNodeWithPod(admin, 'here', kubelet.port, 'one', ['c']);
});

after(async () => {
  admin?.close();
  kubelet?.close();
  await cluster?.close();
});

describe('--max-connection-bytes-per-sec', () => {
  test('holds up a command that writes more, and loses nothing', async () => {
    const sent = randomBytes(bytesPerSecond / 2);
    kubelet.upgrade = (_request, socket) => {
      socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\n\r\n');
      socket.end(sent);
    };
    const startMs = performance.now();
    const { socket, head } = await upgrade(cluster, 'POST', `${pods}/one/exec?stdout=1&command=x`, {
      upgrade: 'SPDY/3.1',
      'x-stream-protocol-version': 'v4.channel.k8s.io',
    });
    const chunks = [head];
    for await (const chunk of socket ?? []) chunks.push(chunk as Buffer);
    assert.ok(Buffer.concat(chunks).equals(sent));
    // Five windows of a tenth of a second, of which the first and the last need no wait.
    assert.ok(performance.now() - startMs >= 300);
  });
});
