import { constants as cryptoConstants } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { createServer, type TLSSocket, type TlsOptions } from 'node:tls';
import { verifyClient } from '#shared/authentication/client-certificates/client-chain.ts';
import { AuthenticationError } from '#shared/authentication/contract/authenticator.ts';
import type { ReloadedFiles } from '#shared/process/link/reloaded-files.ts';
import type { ExchangeHandler, Listener } from '#shared/server/exchange/listener.ts';
import { limits } from '#shared/server/http/limits.ts';
import { offeredAuthorities } from '#shared/server/http/offered-authorities.ts';
import { sentCertificates } from '#shared/server/http/peer-connection.ts';
import { sendCloseNotify } from '#shared/tls/close-notify.ts';
import { lastInSubject, readCertificate } from '#shared/x509/certificate.ts';
import { nameTypes } from '#shared/x509/distinguished-name.ts';
import { pemBlocks } from '#shared/x509/pem.ts';
import { CertificatePool } from '#shared/x509/verify-chain.ts';
import { InternalConnections } from './internal-connections.ts';

export interface MutualTlsOptions {
  readonly host: string;
  /** 0 chooses a free port. */
  readonly port: number;
  /**
   * The backend's own certificate, and the CA of its gateways: `--requestheader-client-ca-file`. Each handshake uses
   * their present contents.
   */
  readonly files: ReloadedFiles<'ca' | 'cert' | 'key'>;
  /**
   * Common names of gateways (`--requestheader-allowed-names`); if the list is empty, every client certificate of the
   * CA is accepted.
   */
  readonly allowedNames: readonly string[];
}

/**
 * The internal listener between machines: only clients with the front proxy's certificate are accepted, and they are
 * trusted. All other connections are closed without an answer.
 */
export async function listenMutualTls(options: MutualTlsOptions, onExchange: ExchangeHandler): Promise<Listener> {
  const { files, allowedNames } = options;
  const connections = new InternalConnections(onExchange);
  let authorities = readAuthorities(files);
  const server = createServer(tlsOptions(files), (socket) => {
    sendCloseNotify(socket);
    // The first bytes wait in the socket until the certificate is verified.
    isGateway(socket, authorities, allowedNames).then(
      (isKnown) => {
        if (!isKnown || socket.destroyed) return void socket.destroy();
        socket.setNoDelay(true);
        socket.setKeepAlive(limits.tcpKeepAlive);
        connections.accept(socket);
      },
      () => socket.destroy(),
    );
  });
  server.on('tlsClientError', (_error, socket) => socket.destroy());
  files.onChange(() => {
    server.setSecureContext(tlsOptions(files));
    authorities = readAuthorities(files);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ host: options.host, port: options.port, backlog: 1024 }, resolve);
  });
  // Without a free file descriptor a new connection fails; existing ones continue (descriptor-limit.ts).
  server.on('error', () => undefined);
  return {
    trust: 'internal',
    host: options.host,
    port: (server.address() as AddressInfo).port,
    path: '',
    async stopAccepting() {
      server.close();
      connections.stopAccepting();
    },
    unused: () => connections.gone(),
    get isSending() {
      return connections.isSending;
    },
    destroy() {
      connections.destroy();
      files.close();
      server.close();
    },
    ended: () => connections.gone(),
  };
}

/** Verifies a gateway as the reference verifies a front proxy. */
async function isGateway(
  socket: TLSSocket,
  authorities: CertificatePool,
  allowedNames: readonly string[],
): Promise<boolean> {
  try {
    const { certificate } = await verifyClient(sentCertificates(socket) ?? [], authorities, Date.now());
    return allowedNames.length === 0 || allowedNames.includes(lastInSubject(certificate, nameTypes.commonName));
  } catch (error) {
    if (error instanceof AuthenticationError) return false;
    throw error;
  }
}

function readAuthorities(files: MutualTlsOptions['files']): CertificatePool {
  const blocks = [...pemBlocks(files.current.ca.toString('latin1'))].filter(
    ({ type, hasHeaders }) => type === 'CERTIFICATE' && !hasHeaders,
  );
  return new CertificatePool(blocks.flatMap(({ bytes }) => readCertificate(bytes) ?? []));
}

/** OpenSSL does not verify client certificates here: of two CAs with the same name it would trust only the first. */
function tlsOptions(files: MutualTlsOptions['files']): TlsOptions {
  const { ca, cert, key } = files.current;
  return {
    ca: offeredAuthorities([ca]),
    cert,
    key,
    requestCert: true,
    rejectUnauthorized: false,
    minVersion: 'TLSv1.3',
    // No session tickets: a resumed session would lack the chain of the client's certificate.
    secureOptions: cryptoConstants.SSL_OP_NO_TICKET,
    handshakeTimeout: limits.handshakeMs,
    ALPNProtocols: ['http/1.1'],
  };
}
