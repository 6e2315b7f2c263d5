import assert from 'node:assert/strict';
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:http2';
import { request } from 'node:https';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';

let server: ChildProcess;
let port: number;
let log = '';
before(async () => {
  server = fork(join(import.meta.dirname, 'faulty-server.ts'), {
    execArgv: ['--import', 'tsx'],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  server.stderr?.setEncoding('utf8').on('data', (text: string) => void (log += text));
  [{ port }] = (await once(server, 'message')) as [{ port: number }];
});
after(() => server.kill('SIGKILL'));

type Ask = (path: string) => Promise<{ readonly status: number; readonly text: string; readonly whole: boolean }>;

const http1: Ask = (path) =>
  new Promise((resolve) => {
    const outgoing = request(
      { host: '127.0.0.1', port, path, method: 'POST', agent: false, rejectUnauthorized: false },
      (answer) => {
        let text = '';
        answer
          .setEncoding('utf8')
          .on('data', (more: string) => void (text += more))
          .on('error', () => undefined);
        answer.on('close', () => resolve({ status: answer.statusCode ?? 0, text, whole: answer.complete }));
      },
    );
    outgoing.on('error', () => resolve({ status: 0, text: '', whole: false }));
    outgoing.end('body');
  });

const http2: Ask = async (path) => {
  const session = connect(`https://127.0.0.1:${port}`, { rejectUnauthorized: false });
  const stream = session.request({ ':path': path, ':method': 'POST' });
  const answer = { status: 0, text: '', whole: true };
  stream.on('response', (headers) => void (answer.status = Number(headers[':status'])));
  stream
    .setEncoding('utf8')
    .on('data', (more: string) => void (answer.text += more))
    .on('error', () => void (answer.whole = false));
  stream.end('body');
  await new Promise((resolve) => stream.on('close', resolve));
  session.destroy();
  return answer;
};

describe('server with a throwing handler', () => {
  for (const [protocol, ask] of [
    ['HTTP/1.1', http1],
    ['HTTP/2', http2],
  ] as const) {
    test(`answers 500 over ${protocol} and serves the next request`, async () => {
      for (const path of ['/thrown', '/rejected', '/timer', '/floating', '/tick']) {
        const { status, text } = await ask(path);
        assert.equal(status, 500, path);
        assert.equal((JSON.parse(text) as { kind: string }).kind, 'Status', path);
      }
      assert.deepEqual(await ask('/begun'), { status: 200, text: 'half', whole: false });
      assert.deepEqual(await ask('/twice'), { status: 200, text: 'whole', whole: true });
      assert.deepEqual(await ask('/well'), { status: 200, text: 'well', whole: true });
      assert.equal(server.exitCode, null, log);
    });
  }

  test('closes the connection when Node refuses to write the response', async () => {
    assert.equal((await http1('/header')).status, 0);
  });

  test('serves other requests after faults in body events and connection close', async () => {
    // Nobody answers these: the stream of a body belongs to its connection.
    void http1('/body');
    void http2('/body');
    while (log.split('fault: body').length < 3) await once(server.stderr as NodeJS.ReadableStream, 'data');
    const session = connect(`https://127.0.0.1:${port}`, { rejectUnauthorized: false });
    session.request({ ':path': '/closed' }).on('error', () => undefined);
    await once(session, 'connect');
    await http1('/well');
    session.destroy();
    while (!log.includes('fault: closed')) await once(server.stderr as NodeJS.ReadableStream, 'data');
    assert.deepEqual(await http2('/well'), { status: 200, text: 'well', whole: true });
    for (const name of ['thrown', 'rejected', 'timer', 'floating', 'tick', 'body', 'begun', 'closed'])
      assert.match(log, new RegExp(`fault: ${name}[^]*?faulty-server`), `${name} is logged with its stack`);
  });

  test('exits with a stack trace on a fault outside of requests', async () => {
    server.send('fail');
    const [code] = (await once(server, 'exit')) as [number | null];
    assert.equal(code, 1);
    assert.match(log, /uncaught: Error: fault: of the process itself\n +at /);
  });
});
