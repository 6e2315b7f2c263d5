import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { readlinkSync, readdirSync } from 'node:fs';
import { request, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { toStatus } from '#shared/apimachinery/errors/status.ts';
import { listenUnix } from '#shared/process/listeners/unix-listener.ts';
import type { Exchange } from '#shared/request/exchange.ts';
import type { RequestContext } from '#shared/request/request-context.ts';
import { decodePath } from '#shared/request/request-path.ts';
import type { Listener } from '#shared/server/exchange/listener.ts';
import { PathMux } from '#shared/server/path-mux.ts';
import { installLogFiles } from './log-files.ts';

const home = mkdtempSync(join(tmpdir(), 'quarterdeck-log-files-'));
const folder = join(home, 'log');
const socketPath = join(home, 'socket');
const large = 64 * 1024 * 1024;
const modified = new Date('2026-10-03T10:20:30Z');
let listener: Listener;

before(async () => {
  mkdirSync(join(folder, 'pods'), { recursive: true });
  writeFileSync(join(folder, 'a.json'), '0123456789');
  writeFileSync(join(folder, 'large.json'), '');
  truncateSync(join(folder, 'large.json'), large);
  writeFileSync(join(home, 'outside'), 'secret');
  for (const name of ['a.json', 'pods']) utimesSync(join(folder, name), modified, modified);
  execFileSync('mkfifo', [join(folder, 'pipe')]);
  const mux = new PathMux();
  installLogFiles(mux, folder);
  listener = await listenUnix(socketPath, (exchange) => void serve(mux, exchange));
});

after(() => {
  listener.destroy();
  void listener.stopAccepting();
  rmSync(home, { recursive: true });
});

async function serve(mux: PathMux, exchange: Exchange): Promise<void> {
  const path = decodePath(exchange.path);
  try {
    await mux.find(path)?.({ exchange, info: { path } } as RequestContext);
  } catch (error) {
    exchange.send(toStatus(error).code ?? 0, {}, '');
  }
}

function open(path: string, headers: Readonly<Record<string, string>> = {}): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request({ socketPath, path, headers, agent: false }).on('error', reject).on('response', resolve).end();
  });
}

async function get(path: string, headers?: Readonly<Record<string, string>>): Promise<readonly [number, string]> {
  const answer = await open(path, headers);
  const chunks: Buffer[] = [];
  for await (const chunk of answer) chunks.push(chunk as Buffer);
  return [answer.statusCode ?? 0, Buffer.concat(chunks).toString()];
}

/** How many descriptors of files in the folder this process has open. */
function openFiles(): number {
  return readdirSync('/proc/self/fd').filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).startsWith(folder);
    } catch {
      return false;
    }
  }).length;
}

async function untilClosed(): Promise<void> {
  while (openFiles() > 0) await new Promise((resolve) => setImmediate(resolve));
}

describe('/logs', () => {
  test('answers a folder with links to its entries, and none above it', async () => {
    const head = '<!doctype html>\n<meta name="viewport" content="width=device-width">\n<pre>\n';
    const links = ['a.json', 'large.json', 'pipe', 'pods/'].map((name) => `<a href="${name}">${name}</a>\n`);
    assert.deepEqual(await get('/logs/'), [200, `${head}${links.join('')}</pre>\n`]);
    for (const path of ['/logs/../outside', '/logs/%2e%2e/outside', '/logs/..%2Foutside', '/logs/pods/../../outside'])
      assert.deepEqual(await get(path), [400, 'invalid URL path\n'], path);
  });

  test('lists a folder with many entries in slices', async () => {
    const crowd = join(folder, 'pods');
    for (let at = 0; at < 5000; at++) writeFileSync(join(crowd, `pod-${String(at).padStart(5, '0')}`), '');
    const [, page] = await get('/logs/pods/');
    const names = [...page.matchAll(/>(pod-\d+)</g)].map(([, name]) => name);
    assert.deepEqual([names.length, names[0], names.at(-1)], [5000, 'pod-00000', 'pod-04999']);
  });

  test('sends parts of a file, and nothing to who has it', async () => {
    assert.deepEqual(await get('/logs/a.json', { range: 'bytes=-3' }), [206, '789']);
    const several = await open('/logs/a.json', { range: 'bytes=0-1,8-' });
    const [, boundary = ''] = /boundary=(\w+)$/.exec(several.headers['content-type'] ?? '') ?? [];
    const body = (await several.toArray()).join('');
    const part = (range: string, bytes: string): string =>
      `--${boundary}\r\nContent-Range: bytes ${range}/10\r\nContent-Type: application/json\r\n\r\n${bytes}\r\n`;
    assert.equal(body, `${part('0-1', '01')}${part('8-9', '89')}--${boundary}--\r\n`);
    assert.equal(several.headers['content-length'], String(body.length));
    assert.deepEqual(await get('/logs/a.json', { 'if-modified-since': modified.toUTCString() }), [304, '']);
  });

  test('holds a part of a large file only, and closes it when the client is gone', async () => {
    const before = process.memoryUsage().arrayBuffers;
    const answer = await open('/logs/large.json');
    assert.equal(answer.headers['content-length'], String(large));
    await once(answer, 'readable');
    assert.equal(openFiles(), 1);
    assert.ok(process.memoryUsage().arrayBuffers - before < large / 8);
    answer.destroy();
    await untilClosed();
  });

  test('breaks off the answer where the file becomes shorter, and ends at the size that it said', async () => {
    const path = join(folder, 'large.json');
    const shrinking = await open('/logs/large.json');
    truncateSync(path, 0);
    await assert.rejects(shrinking.toArray(), { code: 'ECONNRESET' });
    truncateSync(path, large / 8);
    const growing = await open('/logs/large.json');
    appendFileSync(path, 'more');
    assert.equal(Buffer.concat((await growing.toArray()) as Buffer[]).length, large / 8);
    await untilClosed();
  });

  test('does not wait for who writes a pipe', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => get('/logs/pipe')));
    for (const answer of answers) assert.deepEqual(answer, [500, "seeker can't seek\n"]);
  });
});
