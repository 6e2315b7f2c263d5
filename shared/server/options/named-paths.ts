import type { ServerOptions } from './server-options.ts';

/** Flags that name files that must exist before the start. */
export const fileFlags = [
  'clientCaFile',
  'encryptionProviderConfig',
  'etcdCafile',
  'etcdCertfile',
  'etcdKeyfile',
  'internalCertFile',
  'internalKeyFile',
  'kubeletCertificateAuthority',
  'kubeletClientCertificate',
  'kubeletClientKey',
  'peerCaFile',
  'proxyClientCertFile',
  'proxyClientKeyFile',
  'requestheaderClientCaFile',
  'serviceAccountKeyFile',
  'serviceAccountSigningKeyFile',
  'tlsCertFile',
  'tlsPrivateKeyFile',
  'tokenAuthFile',
  'tracingConfigFile',
] as const satisfies readonly (keyof ServerOptions)[];

/** All files and folders that the options name, beside the data directory. */
export function namedPaths(options: ServerOptions): string[] {
  return [
    options.admissionControlConfigFile,
    options.auditPolicyFile,
    options.auditWebhookConfigFile,
    options.authenticationConfig,
    options.authenticationTokenWebhookConfigFile,
    options.authorizationConfig,
    options.authorizationPolicyFile,
    options.authorizationWebhookConfigFile,
    options.certDir,
    options.oidcCaFile,
    options.snapshotDir,
    ...options.tlsSniCertKey.flatMap(({ certFile, keyFile }) => [certFile, keyFile]),
    ...fileFlags.flatMap((key) => options[key]),
  ].filter((path) => path !== '');
}

/**
 * Folders of this product. An empty name comes from a variable that is not set, and would stand for the current folder.
 */
const ownFolderFlags = { dataDir: '--data-dir', snapshotDir: '--snapshot-dir' } as const;

/** Errors about folders that have an empty name. */
export function emptyFolders(options: ServerOptions, given: ReadonlySet<keyof ServerOptions>): string[] {
  return (Object.entries(ownFolderFlags) as [keyof typeof ownFolderFlags, string][])
    .filter(([key]) => given.has(key) && options[key].trim() === '')
    .map(([, flag]) => emptyFolderError(flag));
}

export function emptyFolderError(flag: string): string {
  return `${flag} "" names no folder (is a variable not set?): name one, or leave the flag out`;
}

/** The reference takes an empty file or --cert-dir as if the flag were not there. */
export function withoutEmptyPaths(
  options: ServerOptions,
  given: ReadonlySet<keyof ServerOptions>,
): ReadonlySet<keyof ServerOptions> {
  const empty = [...fileFlags, 'certDir' as const].filter((key) => [options[key]].flat().every((path) => path === ''));
  return given.difference(new Set(empty));
}
