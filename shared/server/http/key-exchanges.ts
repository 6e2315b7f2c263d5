/**
 * Key exchanges of the reference: Go's number (CurveID) and OpenSSL's name, in the order in which Go prefers them
 * (crypto/tls/defaults.go).
 */
const groups: readonly (readonly [id: number, openSsl: string])[] = [
  [4588, 'X25519MLKEM768'],
  [4587, 'SecP256r1MLKEM768'],
  [4589, 'SecP384r1MLKEM1024'],
  [29, 'X25519'],
  [23, 'P-256'],
  [24, 'P-384'],
  [25, 'P-521'],
];

const largestId = 65_535;

/** ML-KEM came with OpenSSL 3.5. Node.js before 24.5 has an older one, and so may have that of a distribution. */
const sinceOpenSsl35 = /MLKEM/;

function isKnown(openSsl: string): boolean {
  const [major = 0, minor = 0] = process.versions.openssl.split('.').map(Number);
  return major > 3 || (major === 3 && minor >= 5) || !sinceOpenSsl35.test(openSsl);
}

/**
 * The list for OpenSSL: the key exchanges of the flag, or all of the reference if it names none, without those that the
 * OpenSSL of this Node.js lacks. The order in the flag does not matter.
 * @throws Error if it lacks all that the flag names
 */
export function openSslGroups(ids: readonly number[]): string {
  const wanted = groups.filter(([id]) => ids.length === 0 || ids.includes(id)).map(([, openSsl]) => openSsl);
  const known = wanted.filter(isKnown);
  if (known.length === 0)
    throw new Error(
      `--tls-curve-preferences=${ids.join(',')}: the OpenSSL ${process.versions.openssl} of this Node.js has no ${wanted.join(' or ')}: add another key exchange, or take Node.js 24.5 or later`,
    );
  return known.join(':');
}

/** The first error in the flag, in the reference's words (component-base/cli/flag). */
export function keyExchangeErrors(ids: readonly number[]): string[] {
  const seen = new Set<number>();
  for (const id of ids) {
    if (id <= 0 || id > largestId) return [`curve preference ${id} is out of range (must be 1-${largestId})`];
    if (seen.has(id)) return [`duplicate curve preference ${id}`];
    if (!groups.some(([known]) => known === id))
      return [`curve preference ${id} is not supported by the current Go version`];
    seen.add(id);
  }
  return [];
}
