import { readFileSync } from 'node:fs';
import { aggregateMessages, fieldErrorText } from '#shared/apimachinery/errors/field-error.ts';
import { formatGroupVersion } from '#shared/apimachinery/gvk.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectAt, objectsAt, stringAt } from '#shared/apimachinery/object.ts';
import { goQuote } from '#shared/apimachinery/text/go-format.ts';
import type { ConfigurationScheme } from '#shared/configuration/configuration-scheme.ts';
import { ConfigurationError, decodeConfiguration } from '#shared/configuration/decode-configuration.ts';
import { readError } from '#shared/configuration/read-error.ts';
import { serverKinds } from '#shared/configuration/server-kinds.ts';
import type { EgressSelection, EgressTransport } from './egress-selection.ts';
import { validateEgress } from './validate-egress.ts';

const kind = 'EgressSelectorConfiguration';
const scheme: ConfigurationScheme = {
  isStrict: true,
  kinds: serverKinds(kind),
  refusal: (gvk) => `unexpected config type: ${formatGroupVersion(gvk)}, Kind=${gvk.kind}`,
  types: {
    EgressSelectorConfiguration: [['egressSelections', 0, '[]#EgressSelection', '']],
    EgressSelection: [
      ['name', 0, 'string', ''],
      ['connection', 0, '#Connection', ''],
    ],
    Connection: [
      ['proxyProtocol', 0, 'string', 'e'],
      ['transport', 0, '#Transport', 'pe'],
    ],
    Transport: [
      ['tcp', 0, '#TCPTransport', 'pe', { g: 'TCP' }],
      ['uds', 0, '#UDSTransport', 'pe', { g: 'UDS' }],
    ],
    TCPTransport: [
      ['url', 0, 'string', 'e', { g: 'URL' }],
      ['tlsConfig', 0, '#TLSConfig', 'pe', { g: 'TLSConfig' }],
    ],
    UDSTransport: [['udsName', 0, 'string', 'e', { g: 'UDSName' }]],
    TLSConfig: [
      ['caBundle', 0, 'string', 'e', { g: 'CABundle' }],
      ['clientKey', 0, 'string', 'e'],
      ['clientCert', 0, 'string', 'e'],
      ['tlsServerName', 0, 'string', 'e', { g: 'TLSServerName' }],
    ],
  },
};

/**
 * Reads and validates the file of `--egress-selector-config-file` (apiserver/pkg/server/egressselector/config.go).
 * @throws ConfigurationError with all causes, in the reference's words
 */
export function readEgressConfiguration(file: string): readonly EgressSelection[] {
  const selections = decodeEgressConfiguration(readBytes(file));
  const errors = validateEgress(selections).map((error) => fieldErrorText(error));
  if (errors.length === 0) return selections;
  throw new ConfigurationError(`failed to validate egress selector configuration: ${aggregateMessages(errors)}`);
}

/** @throws ConfigurationError */
export function decodeEgressConfiguration(bytes: Uint8Array): readonly EgressSelection[] {
  try {
    return objectsAt(decodeConfiguration(scheme, bytes), 'egressSelections').map(selectionOf);
  } catch (error) {
    throw error instanceof ConfigurationError ? readFailure(error.message) : error;
  }
}

function readBytes(file: string): Uint8Array {
  try {
    return readFileSync(file);
  } catch (error) {
    throw readFailure(`unable to read egress selector configuration from ${goQuote(file)} [${readError(error, file)}]`);
  }
}

function readFailure(reason: string): ConfigurationError {
  return new ConfigurationError(`failed to read egress selector config: ${reason}`);
}

function selectionOf(decoded: JsonObject): EgressSelection {
  const name = stringAt(decoded, 'name');
  const transport = objectAt(decoded, 'connection', 'transport');
  return {
    name: name === 'master' ? 'controlplane' : name,
    proxyProtocol: stringAt(decoded, 'connection', 'proxyProtocol'),
    ...(transport !== undefined && { transport: transportOf(transport) }),
  };
}

function transportOf(decoded: JsonObject): EgressTransport {
  const [tcp, uds] = [objectAt(decoded, 'tcp'), objectAt(decoded, 'uds')];
  const tls = objectAt(tcp, 'tlsConfig');
  const tlsConfig = tls && {
    caBundle: stringAt(tls, 'caBundle'),
    clientKey: stringAt(tls, 'clientKey'),
    clientCert: stringAt(tls, 'clientCert'),
    tlsServerName: stringAt(tls, 'tlsServerName'),
  };
  return {
    ...(tcp !== undefined && { tcp: { url: stringAt(tcp, 'url'), ...(tlsConfig && { tlsConfig }) } }),
    ...(uds !== undefined && { uds: { udsName: stringAt(uds, 'udsName') } }),
  };
}
