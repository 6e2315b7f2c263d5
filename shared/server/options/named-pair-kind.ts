import { FlagValueError, type FlagKind } from './flag-kinds.ts';

/** A serving certificate for the host names of `--tls-sni-cert-key`. */
export interface NamedPair {
  readonly certFile: string;
  readonly keyFile: string;
  /** Empty: the names in the certificate. */
  readonly names: readonly string[];
}

/** `CERT,KEY` or `CERT,KEY:NAME,NAME`, repeatable (component-base/cli/flag). */
export const namedPairsKind: FlagKind<readonly NamedPair[]> = {
  typeName: 'namedCertKey',
  parse: (text, previous) => [...(previous ?? []), parsePair(text)],
  format: (value) =>
    `[${value.map(({ certFile, keyFile, names }) => [`${certFile},${keyFile}`, ...(names.length === 0 ? [] : [names.join(',')])].join(':')).join(';')}]`,
};

function parsePair(text: string): NamedPair {
  const colon = text.indexOf(':');
  const names = colon === -1 ? undefined : text.slice(colon + 1).trim();
  if (names === '') throw new FlagValueError('empty names list is not allowed');
  const [certFile, keyFile, ...more] = text
    .slice(0, colon === -1 ? undefined : colon)
    .trim()
    .split(',');
  if (certFile === undefined || keyFile === undefined || more.length > 0)
    throw new FlagValueError('expected comma separated certificate and key file paths');
  return {
    certFile: certFile.trim(),
    keyFile: keyFile.trim(),
    names: names === undefined ? [] : names.split(',').map((name) => name.trim()),
  };
}
