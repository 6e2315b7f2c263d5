import { connect as connectNet, type OnReadOpts, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { backendServerName, type BackendAddress } from '#shared/server/options/backend-address.ts';
import type { ReloadedFiles } from './reloaded-files.ts';

/**
 * Opens a connection to one backend. Bytes that are written before it is established are sent then. Received bytes go
 * to the memory that `onread` offers if the kind of connection supports that, and are emitted as `data` otherwise.
 */
export type Dial = (onread?: OnReadOpts) => Socket;

/**
 * The gateway's certificate (`--proxy-client-cert-file`), and the CA of the backends' certificates
 * (`--requestheader-client-ca-file`).
 */
export type GatewayCredentials = ReloadedFiles<'ca' | 'cert' | 'key'>;

const connectWithinMs = 3_000;
const keepAliveMs = 10_000;

/** Throws for an address of another machine without credentials. */
export function dialer(address: BackendAddress, credentials: GatewayCredentials | undefined): Dial {
  if (address.kind === 'unix')
    return (onread) => connectNet({ path: address.path, ...(onread === undefined ? {} : { onread }) });
  if (credentials === undefined)
    throw new TypeError(
      `${address.host}:${address.port}: backends on TCP need --proxy-client-cert-file, --proxy-client-key-file and --requestheader-client-ca-file`,
    );
  return () => {
    const { ca, cert, key } = credentials.current;
    const socket = connectTls({
      host: address.host,
      port: address.port,
      ca,
      cert,
      key,
      servername: backendServerName,
      minVersion: 'TLSv1.3',
      ALPNProtocols: ['http/1.1'],
    });
    socket.setNoDelay(true);
    socket.setKeepAlive(true, keepAliveMs);
    // A machine that is down does not even refuse the connection.
    const timer = setTimeout(
      () => socket.destroy(new Error(`no connection within ${connectWithinMs} ms`)),
      connectWithinMs,
    );
    return socket.once('secureConnect', () => clearTimeout(timer)).once('close', () => clearTimeout(timer));
  };
}
