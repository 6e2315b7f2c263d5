import { once } from 'node:events';
import {
  connect,
  createServer,
  type ClientHttp2Session,
  type IncomingHttpHeaders,
  type ServerHttp2Stream,
} from 'node:http2';
import type { AddressInfo } from 'node:net';

/** A call of etcd, with what it tells of traces. */
export interface EtcdCall {
  /** `KV/Range`. */
  readonly method: string;
  readonly traceparent: string | undefined;
  readonly tracestate: string | undefined;
  readonly baggage: string | undefined;
}

/** Leads to an etcd, and keeps what its callers tell of traces. */
export interface EtcdRelay {
  /** An address that is no name of this machine for the servers here, so that they ask for no frames. */
  readonly url: string;
  readonly calls: EtcdCall[];
  close(): void;
}

/** For a real etcd at the URL. */
export async function startEtcdRelay(etcdUrl: string): Promise<EtcdRelay> {
  const calls: EtcdCall[] = [];
  const sessions = new Set<{ destroy(): void }>();
  const server = createServer();
  server.on('session', (session) => {
    const etcd = connect(etcdUrl).on('error', () => session.destroy());
    session.on('error', () => undefined).on('close', () => etcd.destroy());
    session.on('stream', (stream: ServerHttp2Stream, headers: IncomingHttpHeaders) => {
      calls.push(callOf(headers));
      relay(stream, headers, etcd);
    });
    for (const one of [session, etcd]) sessions.add(one);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://[::ffff:127.0.0.1]:${(server.address() as AddressInfo).port}`,
    calls,
    close() {
      server.close();
      for (const session of sessions) session.destroy();
    },
  };
}

function callOf(headers: IncomingHttpHeaders): EtcdCall {
  const told = (name: string): string | undefined => headers[name]?.toString();
  return {
    method: (headers[':path'] ?? '').replace(/^\/etcdserverpb\./, ''),
    traceparent: told('traceparent'),
    tracestate: told('tracestate'),
    baggage: told('baggage'),
  };
}

function relay(stream: ServerHttp2Stream, headers: IncomingHttpHeaders, etcd: ClientHttp2Session): void {
  if (etcd.destroyed) return void stream.destroy();
  const call = etcd.request(headers);
  let trailers: IncomingHttpHeaders = {};
  call.on('response', (answer, flags) => {
    if (stream.destroyed) return;
    // Without a message: the status is in the headers.
    if ((flags & 1) === 1) return stream.respond(answer, { endStream: true });
    stream.respond(answer, { waitForTrailers: true });
    stream.on('wantTrailers', () => stream.sendTrailers(trailers));
    call.pipe(stream);
  });
  call.on('trailers', (last) => void (trailers = last));
  call.on('error', () => stream.destroy());
  stream.on('error', () => call.destroy()).on('close', () => call.close(stream.rstCode));
  stream.pipe(call);
}
