import type { Verdict } from './verdicts.ts';

/** A chain with what kube-apiserver told its sender. */
export interface ServedCase extends Verdict {
  readonly key: string;
  readonly told: string;
}

/** The chains of `test/recorders/certificates/chains.go` that are asked of running servers by every `npm test`. */
export const servedCases: ReadonlySet<string> = new Set([
  'three intermediates',
  'an issuer whose key usage is empty',
  'an issuer that signs no certificates',
  'a path length of 0 with one more authority',
  'a path length of 1 with one more',
  'a path length that is negative',
  'a root of version 1',
  'a root of version 3 without basic constraints',
  'a leaf that signed itself',
  'a signature that is broken',
  'a leaf by SHA-1 with RSA',
  'a leaf by SHA-256 with RSA',
  'an intermediate by SHA-1',
  'a leaf that has ended',
  'an intermediate that has ended',
  'a root that has ended',
  'a leaf for servers',
  'an unknown critical extension in a leaf',
  'an unknown critical extension in an intermediate',
  'an unknown critical extension in a root',
  'an extension twice',
  'a permitted host',
  'a host that is not permitted',
  'an excluded host',
  'an address that is not permitted',
  'a URI without a host',
  'intermediates in another order',
  'an intermediate is missing',
  'nothing is trusted that fits',
  'roots of the same name',
  'roots of the same name, the other way round',
  'subject: only organizations',
  'subject: separators in text',
  'subject: blanks around texts',
  'subject: line feeds and a zero',
  'subject: outside of ASCII',
  'subject: T.61',
]);
