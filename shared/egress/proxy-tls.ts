import { readFileSync } from 'node:fs';
import { createSecureContext, getCACertificates, type SecureContext } from 'node:tls';
import { ConfigurationError } from '#shared/configuration/decode-configuration.ts';
import { readError } from '#shared/configuration/read-error.ts';
import type { ProxyTlsFiles } from './configuration/egress-selection.ts';
import type { ProxyTls } from './dial/proxy-socket.ts';

/** How old the contents of the files may be when a connection begins. */
const freshMs = 1_000;

/** What was read of the files. */
interface Contents {
  readonly cert: string;
  readonly key: string;
  /** Absent for the authorities of the system. */
  readonly ca?: string;
}

/**
 * How connections to a proxy are secured. The files are read again for a new connection, at most once a second; while
 * they cannot be used, what was in effect stays.
 * @param onUnusable told of files that changed and cannot be used
 * @throws ConfigurationError if the files cannot be used
 */
export function followProxyTls(files: ProxyTlsFiles, onUnusable: (error: unknown) => void): () => ProxyTls {
  let contents = readContents(files);
  let secureContext = contextOf(files, contents);
  let readMs = performance.now();
  return () => {
    if (performance.now() - readMs >= freshMs) {
      readMs = performance.now();
      try {
        const read = readContents(files);
        if (JSON.stringify(read) !== JSON.stringify(contents))
          [contents, secureContext] = [read, contextOf(files, read)];
      } catch (error) {
        onUnusable(error);
      }
    }
    return { secureContext, servername: files.tlsServerName };
  };
}

function readContents({ caBundle, clientCert, clientKey }: ProxyTlsFiles): Contents {
  const read = (file: string, failure: string): string => {
    try {
      return readFileSync(file, 'utf8');
    } catch (error) {
      throw new ConfigurationError(`${failure}, got ${readError(error, file)}`);
    }
  };
  const pair = `failed to read key pair ${clientCert} & ${clientKey}`;
  return {
    cert: read(clientCert, pair),
    key: read(clientKey, pair),
    ...(caBundle !== '' && { ca: read(caBundle, `failed to read cert file ${caBundle}`) }),
  };
}

function contextOf({ clientCert, clientKey }: ProxyTlsFiles, { cert, key, ca }: Contents): SecureContext {
  if (ca !== undefined && !/-----BEGIN CERTIFICATE-----[^]*-----END CERTIFICATE-----/.test(ca))
    throw new ConfigurationError('failed to append CA cert to the cert pool');
  try {
    // A bundle may hold an intermediate authority, or the served certificate itself.
    return createSecureContext({ cert, key, ca: ca ?? getCACertificates('system'), allowPartialTrustChain: true });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ConfigurationError(`failed to read key pair ${clientCert} & ${clientKey}, got ${reason}`);
  }
}
