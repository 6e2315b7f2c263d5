import type { TLSSocket } from 'node:tls';
import type { buildConnector } from 'undici';
import { checkServerNames } from './server-names.ts';
import { sha1Signed } from './weak-certificates.ts';

export interface Verification {
  /** The name that servers are asked for, and of which their certificates must be. Default: that of each request. */
  readonly serverName?: string | undefined;
  /** False takes any certificate. */
  readonly verifies: boolean;
  /** Told of each connection, with the `host:port` that it is to. */
  readonly onConnected?: ((host: string, socket: TLSSocket) => void) | undefined;
}

/** What undici's connector needs to leave the verification to {@link verifiedConnector}. */
export const verifiedLater = {
  rejectUnauthorized: false,
  checkServerIdentity: () => undefined,
  // Of a session that is resumed Node.js does not say again what was wrong; Go resumes none either.
  maxCachedSessions: 0,
} as const;

/**
 * Verifies the certificates of servers as Go does: names first, and errors that say which algorithm is refused.
 * `connect` makes connections with {@link verifiedLater}; nothing was sent on them yet.
 */
export function verifiedConnector(
  connect: buildConnector.connector,
  { serverName = '', verifies, onConnected }: Verification,
): buildConnector.connector {
  return (asked, onMade) => {
    // undici would ask for the name of the header Host.
    const named = serverName === '' ? asked : { ...asked, servername: serverName };
    connect(named, (error, socket) => {
      if (error !== null) return onMade(error, null);
      if (asked.protocol !== 'https:') return onMade(null, socket);
      const secure = socket as TLSSocket;
      const fault = verifies ? certificateFault(secure, named.servername || asked.hostname) : undefined;
      if (fault !== undefined) {
        secure.destroy();
        return onMade(fault, null);
      }
      onConnected?.(asked.host ?? asked.hostname, secure);
      onMade(null, socket);
    });
  };
}

const inTime: ReadonlySet<string> = new Set(['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID']);

/** Why the server's certificate is refused; undefined for one that is for this name and of a known authority. */
function certificateFault(socket: TLSSocket, name: string): Error | undefined {
  const code = socket.authorized ? '' : String(socket.authorizationError);
  const names = inTime.has(code)
    ? undefined
    : checkServerNames(name.replace(/^\[|\]$/g, ''), socket.getPeerCertificate());
  if (names !== undefined || socket.authorized) return names;
  const weak = code === 'UNSPECIFIED' ? sha1Signed(socket) : undefined;
  return weak === undefined
    ? Object.assign(new Error(code), { code })
    : new Error(insecure(weak.algorithm, weak.issuer));
}

function insecure(algorithm: string, issuer: string): string {
  return (
    'tls: failed to verify certificate: x509: certificate signed by unknown authority (possibly because of ' +
    `"x509: cannot verify signature: insecure algorithm ${algorithm}" while trying to verify candidate authority ` +
    `certificate "${issuer}")`
  );
}
