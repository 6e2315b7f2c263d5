import { X509Certificate } from 'node:crypto';
import {
  clusterAuthenticationData,
  type ClusterAuthenticationInfo,
} from '#shared/authentication/cluster-authentication-info.ts';
import { pemBlocks } from '#shared/x509/pem.ts';

/** The clock difference between servers that is allowed for. */
const expirySlackMs = 5 * 60_000;

/**
 * The data of the ConfigMap: the values that other API servers wrote, then those of this one, so that extension servers
 * trust all of them while certificates are rotated. Expired certificates are dropped
 * (pkg/controlplane/controller/clusterauthenticationtrust).
 * @throws Error if a present value is neither a JSON list nor PEM certificates
 */
export function combinedAuthenticationData(
  present: ReadonlyMap<string, string>,
  own: ClusterAuthenticationInfo,
  nowMs: number,
): Record<string, string> {
  const names = (key: string, more: readonly string[]): string[] => [...new Set([...listIn(present, key), ...more])];
  return clusterAuthenticationData({
    clientCaPem: certificates([present.get('client-ca-file'), own.clientCaPem], nowMs),
    requestHeaderCaPem: certificates([present.get('requestheader-client-ca-file'), own.requestHeaderCaPem], nowMs),
    requestHeaderAllowedNames: names('requestheader-allowed-names', own.requestHeaderAllowedNames),
    requestHeaderExtraPrefixes: names('requestheader-extra-headers-prefix', own.requestHeaderExtraPrefixes),
    requestHeaderGroupHeaders: names('requestheader-group-headers', own.requestHeaderGroupHeaders),
    requestHeaderUidHeaders: names('requestheader-uid-headers', own.requestHeaderUidHeaders),
    requestHeaderUsernameHeaders: names('requestheader-username-headers', own.requestHeaderUsernameHeaders),
  });
}

function listIn(present: ReadonlyMap<string, string>, key: string): readonly string[] {
  const text = present.get(key) ?? '';
  if (text === '') return [];
  const list: unknown = JSON.parse(text) ?? [];
  if (!Array.isArray(list) || !list.every((item) => typeof item === 'string'))
    throw new Error(`${key}: ${text} is no list of strings`);
  return list;
}

function certificates(bundles: readonly (string | undefined)[], nowMs: number): string {
  const all = bundles.flatMap((bundle) => {
    if (bundle === undefined || bundle === '') return [];
    const blocks = [...pemBlocks(bundle)].filter(({ type, hasHeaders }) => type === 'CERTIFICATE' && !hasHeaders);
    if (blocks.length === 0) throw new Error('data does not contain any valid RSA or ECDSA certificates');
    return blocks.map(({ bytes }) => new X509Certificate(bytes));
  });
  const valid = all.filter((certificate) => certificate.validToDate.getTime() > nowMs - expirySlackMs);
  return [...new Set(valid.map(String))].join('');
}
