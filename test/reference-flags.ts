import type { PkiPaths } from '#shared/process/data-directory.ts';

/** What a server that is compared is started with: its certificates, keys and tokens, and where it and its etcd are. */
export interface SharedFlags {
  readonly pki: PkiPaths;
  /** The file of tokens. */
  readonly tokens: string;
  readonly etcdUrl: string;
  readonly port: number;
}

/** Flags that this server and the reference take alike. What follows them may change them. */
export function sharedFlags({ pki, tokens, etcdUrl, port }: SharedFlags): string[] {
  return [
    `--etcd-servers=${etcdUrl}`,
    '--bind-address=127.0.0.1',
    `--secure-port=${port}`,
    `--tls-cert-file=${pki.servingCert}`,
    `--tls-private-key-file=${pki.servingKey}`,
    `--client-ca-file=${pki.caCert}`,
    `--token-auth-file=${tokens}`,
    `--service-account-key-file=${pki.serviceAccountPublicKey}`,
    `--service-account-signing-key-file=${pki.serviceAccountKey}`,
    '--service-account-issuer=https://kubernetes.default.svc.cluster.local',
    '--service-cluster-ip-range=10.0.0.0/16',
    `--requestheader-client-ca-file=${pki.frontProxyCaCert}`,
    `--proxy-client-cert-file=${pki.frontProxyClientCert}`,
    `--proxy-client-key-file=${pki.frontProxyClientKey}`,
  ];
}
