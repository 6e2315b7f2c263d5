import { X509Certificate } from 'node:crypto';
import { StatusError } from '#shared/apimachinery/errors/status.ts';
import type { Exchange } from '#shared/request/exchange.ts';
import { headerValues } from '#shared/request/header-values.ts';

/** Ends the answer of `/slow` after it was requested. */
export const slowAnswer: { finish: (() => void) | undefined } = { finish: undefined };

function commonName(exchange: Exchange): string | undefined {
  const [own] = exchange.peerCertificates() ?? [];
  return own && /CN=(\w+)/.exec(new X509Certificate(own).subject)?.[1];
}

/** The handler of the listeners under test. */
export function answerByPath(exchange: Exchange): void {
  if (exchange.path === '/upgrade') {
    const raw = exchange.upgrade();
    raw?.socket.end('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\nhello');
  } else if (exchange.path === '/method') {
    void exchange
      .readBody(10)
      .then((body) =>
        exchange.send(200, {}, [
          Buffer.from(JSON.stringify({ method: exchange.method, cn: commonName(exchange), body: String(body) })),
        ]),
      );
  } else if (exchange.path === '/stream') {
    const stream = exchange.stream(200, { 'content-type': 'text/plain' });
    stream.write('a');
    stream.end();
  } else if (exchange.path === '/read-some') {
    exchange.body.once('data', () => {
      const stream = exchange.stream(200, { 'content-type': 'text/plain' });
      stream.write('a'.repeat(100_000));
      stream.end();
    });
  } else if (exchange.path === '/goes-on') {
    const stream = exchange.stream(200, { 'content-type': 'text/plain' });
    stream.onDrain(() => stream.end());
    stream.write('a'.repeat(200_000));
    const goOn = (): unknown => (stream.bufferedBytes >= 64 * 1024 ? setImmediate(goOn) : stream.write('b'));
    goOn();
  } else if (exchange.path === '/slow') {
    const stream = exchange.stream(200, { 'content-type': 'text/plain' });
    slowAnswer.finish = () => {
      stream.write('a');
      stream.end();
    };
  } else if (exchange.path === '/last') {
    exchange.send(200, { connection: 'close' }, 'last');
  } else if (exchange.path === '/broken') {
    const stream = exchange.stream(200, { 'content-type': 'text/plain' });
    stream.write('a');
    setImmediate(() => stream.abort());
  } else if (exchange.path === '/body') {
    exchange.readBody(10).then(
      (body) => exchange.send(200, {}, body),
      (error: unknown) => exchange.send(error instanceof StatusError ? error.code : 500, {}, String(error)),
    );
  } else {
    exchange.appendHeader('Warning', '299 - "a"');
    exchange.appendHeader('Warning', '299 - "b"');
    exchange.setHeader('content-type', 'overridden');
    const seen = {
      version: exchange.httpVersion,
      trust: exchange.trust,
      query: exchange.query,
      groups: headerValues(exchange, 'impersonate-group'),
      cn: commonName(exchange) ?? null,
    };
    exchange.send(200, { 'content-type': 'application/json' }, [Buffer.from(JSON.stringify(seen))]);
  }
}
