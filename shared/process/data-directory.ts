import { join, resolve } from 'node:path';
import type { DataFolderRules } from '#shared/files/data-folder.ts';
import { readsUidHeaders } from '#shared/server/options/feature-gates.ts';
import { namedPaths } from '#shared/server/options/named-paths.ts';
import type { ServerOptions } from '#shared/server/options/server-options.ts';

/** Keys and certificates below `<data-dir>/pki`, made by the launcher. */
export interface PkiPaths {
  readonly directory: string;
  readonly caCert: string;
  readonly caKey: string;
  readonly servingCert: string;
  readonly servingKey: string;
  readonly adminCert: string;
  readonly adminKey: string;
  /** Of a reader of metrics and health, by the group `system:monitoring`. */
  readonly monitoringCert: string;
  readonly monitoringKey: string;
  /** The certificate with which core authenticates to kubelets, from the cluster's CA. */
  readonly kubeletClientCert: string;
  readonly kubeletClientKey: string;
  readonly frontProxyCaCert: string;
  readonly frontProxyCaKey: string;
  readonly frontProxyClientCert: string;
  readonly frontProxyClientKey: string;
  /** The certificate with which backends on other machines authenticate to gateways, from the front proxy's CA. */
  readonly backendCert: string;
  readonly backendKey: string;
  readonly serviceAccountKey: string;
  readonly serviceAccountPublicKey: string;
}

export function pkiPaths(directory: string): PkiPaths {
  const at = (name: string) => join(directory, name);
  return {
    directory,
    caCert: at('ca.crt'),
    caKey: at('ca.key'),
    servingCert: at('apiserver.crt'),
    servingKey: at('apiserver.key'),
    adminCert: at('admin.crt'),
    adminKey: at('admin.key'),
    monitoringCert: at('monitoring.crt'),
    monitoringKey: at('monitoring.key'),
    kubeletClientCert: at('apiserver-kubelet-client.crt'),
    kubeletClientKey: at('apiserver-kubelet-client.key'),
    frontProxyCaCert: at('front-proxy-ca.crt'),
    frontProxyCaKey: at('front-proxy-ca.key'),
    frontProxyClientCert: at('front-proxy-client.crt'),
    frontProxyClientKey: at('front-proxy-client.key'),
    backendCert: at('backend.crt'),
    backendKey: at('backend.key'),
    serviceAccountKey: at('sa.key'),
    serviceAccountPublicKey: at('sa.pub'),
  };
}

/** What tells a data directory from a folder of others. */
export function dataDirectoryRules(options: ServerOptions): DataFolderRules {
  return {
    flag: '--data-dir',
    marks: [join('pki', 'backend.crt'), join('store', 'store.db')],
    own: ['pki', 'run', 'store', 'snapshots'],
    named: namedPaths(options),
  };
}

/** Unix sockets between the processes of one machine, in a folder of mode 0700. */
export interface ProcessSockets {
  /** The socket for frames of the embedded store; absent with `--etcd-servers`. */
  readonly store?: string;
  /** Internal listener of core. */
  readonly core: string;
  /** Internal listener of the extensions server. */
  readonly extensions: string;
  /** Internal listener of the gateway, for writes of one server to another's resources. */
  readonly gateway: string;
  /** Of the controllers, which serve nothing: only the socket for debugging lies beside it. */
  readonly controllers: string;
}

/** `directory` is usually `<data-dir>/run`; a socket path may not be longer than about 100 bytes. */
export function processSockets(directory: string, withStore: boolean): ProcessSockets {
  const at = (name: string) => join(directory, name);
  return {
    ...(withStore ? { store: at('store.sock') } : {}),
    core: at('core.sock'),
    extensions: at('extensions.sock'),
    gateway: at('gateway.sock'),
    controllers: at('controllers.sock'),
  };
}

/** The options of a process at its start. Plain JSON. */
export interface ProcessOptions {
  readonly server: ServerOptions;
  readonly sockets: ProcessSockets;
  /** The number of this process among several of its kind on this machine, from 1. */
  readonly instance?: number;
  /**
   * For a gateway: the descriptor of a socket that listens on its public port, and that the launcher keeps open beside
   * it. Absent: the gateway opens the port.
   */
  readonly publicSocket?: number;
  /** For a backend that a launcher started: how long its gateways may take to end. */
  readonly gatewaysEndWithinMs?: number;
  /** Whether this is one of several servers of one operating system process, which tells by itself what it starts. */
  readonly isPart?: boolean;
}

/**
 * The default serving certificate: below `--cert-dir` if that was given, under the reference's file names, otherwise
 * below the data directory.
 */
export function servingPair(
  { certDir }: ServerOptions,
  pki: PkiPaths,
  given: ReadonlySet<keyof ServerOptions>,
): { cert: string; key: string } {
  if (!given.has('certDir')) return { cert: pki.servingCert, key: pki.servingKey };
  return { cert: join(resolve(certDir), 'apiserver.crt'), key: join(resolve(certDir), 'apiserver.key') };
}

/**
 * Adds the product's own defaults for options that the command line does not set: loopback, Node and RBAC, and the
 * files of the data directory. Used by the launcher and by sub-commands that run alone.
 */
export function withDataDirectoryDefaults(
  options: ServerOptions,
  given: ReadonlySet<keyof ServerOptions>,
): ServerOptions {
  const dataDir = resolve(options.dataDir);
  const pki = pkiPaths(join(dataDir, 'pki'));
  const frontProxy = options.requestheaderClientCaFile === '';
  const ownServing = options.tlsCertFile === '';
  const serving = servingPair(options, pki, given);
  const defaults: Partial<ServerOptions> = {
    bindAddress: '127.0.0.1',
    clientCaFile: pki.caCert,
    ...(options.authorizationConfig === '' ? { authorizationMode: ['Node', 'RBAC'] } : {}),
    serviceAccountIssuer: ['https://kubernetes.default.svc.cluster.local'],
    ...(options.serviceAccountSigningKeyFile === '' && options.serviceAccountSigningEndpoint === ''
      ? { serviceAccountSigningKeyFile: pki.serviceAccountKey, serviceAccountKeyFile: [pki.serviceAccountPublicKey] }
      : {}),
    ...(options.proxyClientCertFile === ''
      ? { proxyClientCertFile: pki.frontProxyClientCert, proxyClientKeyFile: pki.frontProxyClientKey }
      : {}),
    ...(options.kubeletClientCertificate === ''
      ? { kubeletClientCertificate: pki.kubeletClientCert, kubeletClientKey: pki.kubeletClientKey }
      : {}),
    ...(frontProxy
      ? {
          requestheaderClientCaFile: pki.frontProxyCaCert,
          requestheaderAllowedNames: ['front-proxy-client'],
          requestheaderUsernameHeaders: ['X-Remote-User'],
          requestheaderUidHeaders: readsUidHeaders(options) ? ['X-Remote-Uid'] : [],
          requestheaderGroupHeaders: ['X-Remote-Group'],
          requestheaderExtraHeadersPrefix: ['X-Remote-Extra-'],
        }
      : {}),
    ...(options.internalCertFile === '' ? { internalCertFile: pki.backendCert, internalKeyFile: pki.backendKey } : {}),
    ...(ownServing ? { tlsCertFile: serving.cert, tlsPrivateKeyFile: serving.key } : {}),
  };
  const missing = Object.fromEntries(
    Object.entries(defaults).filter(([key]) => !given.has(key as keyof ServerOptions)),
  );
  return Object.freeze({ ...options, ...missing, dataDir });
}
