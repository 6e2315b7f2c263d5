import { readFileSync } from 'node:fs';
import type { GrpcTls } from '#servers/store/rpc/grpc-server.ts';
import type { StoreService } from '#servers/store/rpc/store-service.ts';
import { readCertificateFile, readPair } from '#shared/files/key-files.ts';
import type { StoreTls } from './options.ts';

/** Listens for gRPC. It needs node:http2, which is loaded only if the store has a client URL. */
export async function listenGrpc(
  service: StoreService,
  url: string,
  tls: StoreTls | undefined,
): Promise<{ readonly url: string; close(): Promise<void> }> {
  const { GrpcServer } = await import('#servers/store/rpc/grpc-server.ts');
  const { protocol, hostname, port } = new URL(url);
  const server = new GrpcServer(service, protocol === 'https:' ? readTls(tls) : undefined);
  const bound = await server
    .listen(hostname.replace(/^\[|\]$/g, ''), port === '' ? 2379 : Number(port))
    .catch((error: unknown) => {
      throw new Error(
        `${url} cannot be listened on (${(error as NodeJS.ErrnoException).code ?? String(error)}): end what listens there, or name another address with --listen-client-urls`,
        { cause: error },
      );
    });
  return { url: `${protocol}//${hostname}:${bound}`, close: () => server.close() };
}

function readTls(tls: StoreTls | undefined): GrpcTls {
  if (tls === undefined) throw new Error('https addresses need a certificate and a key');
  const remedy = 'name a certificate and its own key with --cert-file and --key-file';
  readPair(tls.certFile, tls.keyFile, remedy);
  if (tls.trustedCaFile !== undefined)
    readCertificateFile(tls.trustedCaFile, 'name the certificates of authorities with --trusted-ca-file');
  return {
    cert: readFileSync(tls.certFile),
    key: readFileSync(tls.keyFile),
    ...(tls.trustedCaFile === undefined ? {} : { ca: readFileSync(tls.trustedCaFile) }),
    requestCert: tls.clientCertAuth,
    rejectUnauthorized: tls.clientCertAuth,
  };
}
