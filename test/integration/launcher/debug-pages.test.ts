import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { Profile } from 'pprof-format';
import { http1Client, type ApiClient } from '#test/api-client.ts';
import { startCluster, type Cluster } from '#test/cluster.ts';

let folder: string;
let cluster: Cluster;
let admin: ApiClient;

before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'debug-'));
  cluster = await startCluster({
    flags: ['--core-replicas=2', '--contention-profiling', '--debug-socket-path', join(folder, 'debug.sock')],
  });
  admin = http1Client(cluster);
});
after(async () => {
  admin.close();
  await cluster.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Asks the socket of `--debug-socket-path`. */
async function askSocket(method: string, path: string, body = ''): Promise<string> {
  const socketPath = join(folder, 'debug.sock');
  return await new Promise((resolve, reject) => {
    const call = request({ socketPath, method, path }, (response) => void text(response).then(resolve, reject));
    call.once('error', reject).end(body);
  });
}

/** The functions of a profile in the form of pprof, and what its values are. */
function decoded(bytes: Uint8Array): { readonly functions: number; readonly kinds: readonly string[] } {
  const { function: functions, sampleType, stringTable } = Profile.decode(gunzipSync(bytes));
  return { functions: functions.length, kinds: sampleType.map(({ type }) => stringTable.strings[Number(type)] ?? '') };
}

describe('/debug/pprof', () => {
  for (const name of ['', 'core', 'core/2', 'extensions', 'store', 'launcher', 'gateway'])
    test(`shows where the time of process "${name}" goes`, async () => {
      const { status, bytes } = await admin.send('GET', `/debug/pprof/profile?seconds=0.2&process=${name}`);
      assert.equal(status, 200);
      const { functions, kinds } = decoded(bytes);
      assert.ok(functions > 0);
      assert.deepEqual(kinds, ['samples', 'cpu']);
    });

  test('shows what is allocated meanwhile, and what holds the event loop', async () => {
    const [heap, delays] = await Promise.all(
      ['allocs', 'block'].map(async (name) => await admin.send('GET', `/debug/pprof/${name}?seconds=0.5`)),
    );
    assert.deepEqual(decoded(heap?.bytes ?? Buffer.alloc(0)).kinds, ['alloc_objects', 'alloc_space']);
    assert.deepEqual(decoded(delays?.bytes ?? Buffer.alloc(0)).kinds, ['contentions', 'delay']);
  });

  test('answers in the form of browsers, too', async () => {
    const { json, headers } = await admin.send('GET', '/debug/pprof/profile?seconds=0.1&form=v8&process=store');
    assert.ok(Array.isArray(json.nodes));
    assert.equal(headers['content-disposition'], 'attachment; filename="profile.cpuprofile"');
  });

  test('says what it cannot show', async () => {
    for (const [query, status] of [
      ['profile?process=core/3', 404],
      ['profile?process=../core', 404],
      ['profile?seconds=0', 400],
      ['profile?seconds=301', 400],
      ['trace', 404],
    ] as const)
      assert.equal((await admin.send('GET', `/debug/pprof/${query}`)).status, status, query);
  });

  test('records one profile of a kind at a time', async () => {
    const asked = [1, 2].map(() => admin.send('GET', '/debug/pprof/heap?seconds=1'));
    const statuses = (await Promise.all(asked)).map(({ status }) => status).toSorted((a, b) => a - b);
    assert.deepEqual(statuses, [200, 500]);
  });

  test('shows nothing to users without the right to see it', async () => {
    const nobody = http1Client(cluster, 'anonymous');
    assert.equal((await nobody.send('GET', '/debug/pprof/profile?seconds=1')).status, 403);
    nobody.close();
  });
});

describe('--debug-socket-path', () => {
  test('serves profiles and the level of the log without authentication', async () => {
    assert.equal(await askSocket('PUT', '/debug/flags/v', '1'), 'successfully set klog.logging.verbosity to 1\n');
    assert.match(await askSocket('GET', '/debug/pprof/'), /href="block/);
    assert.match(await askSocket('GET', '/debug/pprof/profile?seconds=0.1&form=v8&process=core'), /"nodes"/);
    assert.equal(await askSocket('GET', '/api'), '404 page not found\n');
  });
});
