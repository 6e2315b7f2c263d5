import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, describe, test } from 'node:test';
import { httpConnectDial } from './http-connect.ts';

const cleanups: (() => void)[] = [];
after(() => {
  for (const cleanup of cleanups.toReversed()) cleanup();
});

/** A proxy that answers so, and sends each line that it gets back. */
async function proxy(serve: (socket: Socket, request: string) => void): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', (head) => serve(socket, String(head)));
  });
  cleanups.push(() => server.close());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const target = 'node.example:10250';

// Texts: tunnelHTTPConnect in apiserver/pkg/server/egressselector/egress_selector.go, and ReadResponse of net/http.
describe('connections through HTTP CONNECT', () => {
  test('begin behind the answer 200, with the request of the reference', async () => {
    let asked = '';
    const address = await proxy((socket, request) => {
      asked = request;
      socket.write('HTTP/1.1 200 Connection established\r\nVia: a\r\n');
      setImmediate(() => socket.write('\r\n'));
      socket.once('data', (hello) => socket.end(`${String(hello)} too`));
    });
    const socket = await httpConnectDial({ address })(target);
    assert.equal(asked, `CONNECT ${target} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`);
    socket.write('hello');
    assert.equal(await text(socket), 'hello too');
  });

  const answers: Readonly<Record<string, (address: string) => string>> = {
    'HTTP/1.1 403 Forbidden\r\n\r\n': (address) =>
      `proxy error from ${address} while dialing ${target}, code 403: 403 Forbidden`,
    'HTTP/1.0 204 \r\n\r\n': (address) => `proxy error from ${address} while dialing ${target}, code 204: 204 `,
    'HTTP/1.1 200 OK\r\n\r\nSSH-2.0': (address) =>
      `unexpected 7 bytes of buffered data from CONNECT proxy "${address}"`,
    'SSH-2.0-x\r\n\r\n': (address) => malformed(address, 'malformed HTTP response "SSH-2.0-x"'),
    'HTTP/1.1 2OO OK\r\n\r\n': (address) => malformed(address, 'malformed HTTP status code "2OO"'),
    'HTTP/one 200 OK\r\n\r\n': (address) => malformed(address, 'malformed HTTP version "HTTP/one"'),
    'HTTP/1.1 200 OK\r\nfield\r\n\r\n': (address) =>
      malformed(address, 'malformed MIME header: missing colon: "field"'),
    'HTTP/1.1 200': (address) => malformed(address, 'unexpected EOF'),
  };
  for (const [answer, message] of Object.entries(answers)) {
    test(`are refused after ${JSON.stringify(answer)}`, async () => {
      const address = await proxy((socket) => socket.end(answer));
      await assert.rejects(httpConnectDial({ address })(target), { stage: 'proxy', message: message(address) });
    });
  }

  test('are refused when the head of the answer has no end within 1 MiB', async () => {
    const address = await proxy((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      const more = Buffer.alloc(65_536, 'a: b\r\n');
      const fill = (): void => {
        while (socket.writable && socket.write(more));
      };
      socket.on('drain', fill);
      fill();
    });
    await assert.rejects(httpConnectDial({ address })(target), { message: malformed(address, 'unexpected EOF') });
  });

  test('are refused when nobody listens', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    server.close();
    await once(server, 'close');
    await assert.rejects(httpConnectDial({ address })(target), {
      stage: 'connect',
      message: `dial tcp ${address}: connect: connection refused`,
    });
    await assert.rejects(httpConnectDial({ address: '/nowhere', path: '/nowhere' })(target), {
      stage: 'connect',
      message: 'dial unix /nowhere: connect: no such file or directory',
    });
  });

  test('are given up with their caller', async () => {
    const caller = new AbortController();
    const address = await proxy(() => caller.abort());
    await assert.rejects(httpConnectDial({ address })(target, caller.signal), {
      message: malformed(address, 'i/o timeout'),
    });
  });
});

function malformed(address: string, reason: string): string {
  return `reading HTTP response from CONNECT to ${target} via proxy ${address} failed: ${reason}`;
}
