import { existsSync } from 'node:fs';
import {
  duplicate,
  invalid,
  notSupported,
  path,
  required,
  type FieldError,
  type Path,
} from '#shared/apimachinery/errors/field-error.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import type { EgressSelection, EgressTransport, ProxyTlsFiles } from './egress-selection.ts';

/** The networks for which connections can be configured, in the order in which errors list them. */
const names = ['cluster', 'controlplane', 'etcd'];
/** The reference names the fields of all selections so, whichever it is. */
const connection = path('service', 'connection');

/** All errors of a configuration, in the reference's order (ValidateEgressSelectorConfiguration). */
export function validateEgress(selections: readonly EgressSelection[]): FieldError[] {
  return [...selections.flatMap(connectionErrors), ...nameErrors(selections)];
}

function connectionErrors({ proxyProtocol, transport }: EgressSelection): FieldError[] {
  switch (proxyProtocol) {
    case 'Direct':
      return transport === undefined
        ? []
        : [invalid(connection.child('transport'), 'direct', 'config must be absent for direct connect')];
    case 'HTTPConnect':
      return httpConnectErrors(transport);
    case 'GRPC':
      return grpcErrors(transport);
    default:
      return [notSupported(connection.child('protocol'), proxyProtocol, ['Direct', 'HTTPConnect', 'GRPC'])];
  }
}

function nameErrors(selections: readonly EgressSelection[]): FieldError[] {
  const seen = new Set<string>();
  return selections.flatMap(({ name }, index) => {
    const canonical = name.toLowerCase();
    if (seen.has(canonical)) return [duplicate(connection.index(index), canonical)];
    seen.add(canonical);
    return names.includes(canonical) ? [] : [notSupported(connection, canonical, names)];
  });
}

function httpConnectErrors(transport: EgressTransport | undefined): FieldError[] {
  if (transport === undefined)
    return [required(connection.child('transport'), 'transport must be set for HTTPConnect')];
  const { tcp, uds } = transport;
  if (tcp !== undefined && uds !== undefined)
    return [invalid(connection.child('tcp'), goValue(tcp), 'TCP and UDS cannot both be set')];
  if (tcp !== undefined) return tcpErrors(tcp);
  return uds === undefined ? [required(connection.child('tcp'), 'One of TCP or UDS must be set')] : udsErrors(uds);
}

function grpcErrors(transport: EgressTransport | undefined): FieldError[] {
  if (transport === undefined) return [required(connection.child('transport'), 'transport must be set for GRPC')];
  return transport.uds === undefined
    ? [required(connection.child('uds'), 'UDS must be set with GRPC')]
    : udsErrors(transport.uds);
}

function udsErrors({ udsName }: NonNullable<EgressTransport['uds']>): FieldError[] {
  return udsName === '' ? [invalid(connection.child('udsName'), 'nil', 'must be present for UDS connections')] : [];
}

function tcpErrors({ url, tlsConfig }: NonNullable<EgressTransport['tcp']>): FieldError[] {
  if (url.startsWith('https://')) return tlsErrors(tlsConfig);
  if (!url.startsWith('http://'))
    return [invalid(connection.child('url'), url, 'supported connection protocols are http:// and https://')];
  return tlsConfig === undefined
    ? []
    : [invalid(connection.child('tlsConfig'), 'nil', 'config must not be present when using HTTP')];
}

function tlsErrors(files: ProxyTlsFiles | undefined): FieldError[] {
  const field = connection.child('tlsConfig');
  if (files === undefined) return [required(field, 'TLSConfig must be present when using HTTPS')];
  return [
    ...(files.caBundle === '' ? [] : fileErrors(field.child('caBundle'), files.caBundle, 'TLS config ca bundle')),
    ...(files.clientCert === ''
      ? [invalid(field.child('clientCert'), 'nil', 'Using TLS requires clientCert')]
      : fileErrors(field.child('clientCert'), files.clientCert, 'TLS client cert')),
    ...(files.clientKey === ''
      ? [invalid(field.child('clientKey'), 'nil', 'Using TLS requires requires clientKey')]
      : fileErrors(field.child('clientKey'), files.clientKey, 'TLS client key')),
  ];
}

function fileErrors(field: Path, file: string, subject: string): FieldError[] {
  return existsSync(file) ? [] : [invalid(field, file, `${subject} does not exist`)];
}

/** The value as the reference prints its internal type. */
function goValue({ url, tlsConfig }: NonNullable<EgressTransport['tcp']>): JsonObject {
  return {
    URL: url,
    TLSConfig:
      tlsConfig === undefined
        ? null
        : {
            CABundle: tlsConfig.caBundle,
            ClientKey: tlsConfig.clientKey,
            ClientCert: tlsConfig.clientCert,
            TLSServerName: tlsConfig.tlsServerName,
          },
  };
}
