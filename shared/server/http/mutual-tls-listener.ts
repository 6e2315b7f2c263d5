import type { AddressInfo } from 'node:net';
import { createServer, type TLSSocket, type TlsOptions } from 'node:tls';
import type { ReloadedFiles } from '../link/reloaded-files.ts';
import { InternalConnections } from './internal-connections.ts';
import { limits } from './limits.ts';
import type { ExchangeHandler, Listener } from './listener.ts';

export interface MutualTlsOptions {
  readonly host: string;
  /** 0 for a free one. */
  readonly port: number;
  /** The backend's own certificate, and the CA of its gateways: `--requestheader-client-ca-file`. Used as they are at each handshake. */
  readonly files: ReloadedFiles<'ca' | 'cert' | 'key'>;
  /** Common names of gateways (`--requestheader-allowed-names`); without any, every client certificate of the CA will do. */
  readonly allowedNames: readonly string[];
}

/**
 * The internal listener between machines: only who shows the front proxy's certificate gets in, and is believed. Others
 * learn nothing but that the handshake failed.
 */
export async function listenMutualTls(options: MutualTlsOptions, onExchange: ExchangeHandler): Promise<Listener> {
  const { files, allowedNames } = options;
  const connections = new InternalConnections(onExchange);
  const server = createServer(tlsOptions(files), (socket) => {
    if (!isGateway(socket, allowedNames)) return void socket.destroy();
    socket.setNoDelay(true);
    socket.setKeepAlive(true, limits.tcpKeepAliveMs);
    connections.accept(socket);
  });
  server.on('tlsClientError', (_error, socket) => socket.destroy());
  files.onChange(() => server.setSecureContext(tlsOptions(files)));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host: options.host, port: options.port, backlog: 1024 }, resolve);
  });
  return {
    host: options.host,
    port: (server.address() as AddressInfo).port,
    path: '',
    async stopAccepting() {
      server.close();
      connections.stopAccepting();
    },
    unused: () => connections.gone(),
    destroy() {
      connections.destroy();
      files.close();
      server.close();
    },
  };
}

function isGateway(socket: TLSSocket, allowedNames: readonly string[]): boolean {
  if (!socket.authorized) return false;
  const name: unknown = socket.getPeerCertificate().subject?.CN;
  return allowedNames.length === 0 || (typeof name === 'string' && allowedNames.includes(name));
}

function tlsOptions(files: MutualTlsOptions['files']): TlsOptions {
  const { ca, cert, key } = files.current;
  return { ca, cert, key, requestCert: true, rejectUnauthorized: true, minVersion: 'TLSv1.3', handshakeTimeout: limits.handshakeMs, ALPNProtocols: ['http/1.1'] };
}
