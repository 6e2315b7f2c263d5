import { writeFileSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { createServer as createTlsServer } from 'node:tls';
import { dialFailure, startGrpcProxy } from '#shared/egress/testing/grpc-proxy.ts';

/** What a proxy does with the connections that it is asked for. */
export type Behaviour = 'dials' | 'refuses' | 'hangs up' | 'talks nonsense';

export interface Proxy {
  /** The addresses that it was asked for. */
  readonly asked: string[];
  behaviour: Behaviour;
  /** As the configuration names it. */
  readonly connection: object;
  close(): void;
}

/** Where a proxy leads, whatever it is asked for: by the port. */
export type Lead = (address: string) => number;

export interface ProxyOptions {
  readonly folder: string;
  readonly network: string;
  readonly lead: Lead;
  /** PEM and the files with them; the proxy asks for no certificate. */
  readonly tls: { readonly cert: string; readonly key: string; readonly files: object };
}

export const protocols = ['HTTPConnect by Unix socket', 'HTTPConnect by TLS', 'GRPC'] as const;
export type Protocol = (typeof protocols)[number];

export async function startProxy(protocol: Protocol, options: ProxyOptions): Promise<Proxy> {
  return await (protocol === 'GRPC' ? grpcProxy(options) : connectProxy(protocol, options));
}

/** Writes the configuration of the proxies, by their networks; returns the path of the file. */
export function egressConfiguration(folder: string, proxies: ReadonlyMap<string, Proxy>): string {
  const file = join(folder, 'egress.json');
  const egressSelections = [...proxies].map(([name, { connection }]) => ({ name, connection }));
  const kind = { apiVersion: 'apiserver.k8s.io/v1beta1', kind: 'EgressSelectorConfiguration' };
  writeFileSync(file, JSON.stringify({ ...kind, egressSelections }));
  return file;
}

async function connectProxy(protocol: Protocol, { folder, network, lead, tls }: ProxyOptions): Promise<Proxy> {
  const isTls = protocol === 'HTTPConnect by TLS';
  const serve = (socket: Socket): void => {
    socket.on('error', () => undefined);
    socket.once('data', (head) => {
      const [, address = ''] = /^CONNECT (\S+) /.exec(String(head)) ?? [];
      proxy.asked.push(address);
      if (proxy.behaviour === 'refuses') return void socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
      if (proxy.behaviour === 'hangs up') return void socket.end();
      if (proxy.behaviour === 'talks nonsense') return void socket.end('SSH-2.0-proxy\r\n\r\n');
      const other = connect(lead(address), '127.0.0.1', () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        socket.pipe(other).pipe(socket);
      });
      other.on('error', () => socket.destroy());
    });
  };
  const server: Server = isTls ? createTlsServer({ cert: tls.cert, key: tls.key }, serve) : createServer(serve);
  const path = join(folder, `${network}.sock`);
  await new Promise<void>((resolve) => (isTls ? server.listen(0, '127.0.0.1', resolve) : server.listen(path, resolve)));
  const address = server.address();
  const url = `https://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
  const proxy: Proxy = {
    asked: [],
    behaviour: 'dials',
    connection: {
      proxyProtocol: 'HTTPConnect',
      transport: isTls ? { tcp: { url, tlsConfig: tls.files } } : { uds: { udsName: path } },
    },
    close: () => void server.close(),
  };
  return proxy;
}

async function grpcProxy({ folder, network, lead }: ProxyOptions): Promise<Proxy> {
  const path = join(folder, `${network}.sock`);
  const started = await startGrpcProxy(
    path,
    (stream, random) => {
      if (proxy.behaviour === 'dials') return false;
      if (proxy.behaviour === 'refuses') stream.write(dialFailure(random, 'no agent available'));
      else stream.end();
      return true;
    },
    (address) => `127.0.0.1:${lead(address)}`,
  );
  const proxy: Proxy = {
    asked: started.dialed,
    behaviour: 'dials',
    connection: { proxyProtocol: 'GRPC', transport: { uds: { udsName: path } } },
    close: () => started.close(),
  };
  return proxy;
}
