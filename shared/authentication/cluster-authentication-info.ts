/**
 * The contents of `kube-system/extension-apiserver-authentication`, by which extension servers authenticate clients.
 */
export interface ClusterAuthenticationInfo {
  /** CAs in PEM; empty leaves the key out. */
  readonly clientCaPem: string;
  readonly requestHeaderCaPem: string;
  readonly requestHeaderAllowedNames: readonly string[];
  readonly requestHeaderExtraPrefixes: readonly string[];
  readonly requestHeaderGroupHeaders: readonly string[];
  readonly requestHeaderUidHeaders: readonly string[];
  readonly requestHeaderUsernameHeaders: readonly string[];
}

/** The ConfigMap's `data` (pkg/controlplane/controller/clusterauthenticationtrust): lists are JSON texts. */
export function clusterAuthenticationData(info: ClusterAuthenticationInfo): Record<string, string> {
  const data: Record<string, string> = {};
  if (info.clientCaPem !== '') data['client-ca-file'] = info.clientCaPem;
  if (info.requestHeaderCaPem === '') return data;
  return {
    ...data,
    'requestheader-allowed-names': goList(info.requestHeaderAllowedNames),
    'requestheader-client-ca-file': info.requestHeaderCaPem,
    'requestheader-extra-headers-prefix': goList(info.requestHeaderExtraPrefixes),
    'requestheader-group-headers': goList(info.requestHeaderGroupHeaders),
    ...(info.requestHeaderUidHeaders.length === 0
      ? {}
      : { 'requestheader-uid-headers': goList(info.requestHeaderUidHeaders) }),
    'requestheader-username-headers': goList(info.requestHeaderUsernameHeaders),
  };
}

/**
 * Name of the ConfigMap in kube-system. Its reader Role, `extension-apiserver-authentication-reader`, is among the
 * bootstrap roles.
 */
export const clusterAuthenticationConfigMap = 'extension-apiserver-authentication';

function goList(values: readonly string[]): string {
  return JSON.stringify(values);
}
