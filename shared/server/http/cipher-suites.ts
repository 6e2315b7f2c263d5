/** Cipher suites by their names in Go (crypto/tls) and in OpenSSL, in the order of preference of Go's server. */
const byDefault: readonly (readonly [name: string, openSsl: string])[] = [
  ['TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256', 'ECDHE-ECDSA-AES128-GCM-SHA256'],
  ['TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256', 'ECDHE-RSA-AES128-GCM-SHA256'],
  ['TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384', 'ECDHE-ECDSA-AES256-GCM-SHA384'],
  ['TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384', 'ECDHE-RSA-AES256-GCM-SHA384'],
  ['TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256', 'ECDHE-ECDSA-CHACHA20-POLY1305'],
  ['TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256', 'ECDHE-RSA-CHACHA20-POLY1305'],
  ['TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA', 'ECDHE-ECDSA-AES128-SHA'],
  ['TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA', 'ECDHE-RSA-AES128-SHA'],
  ['TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA', 'ECDHE-ECDSA-AES256-SHA'],
  ['TLS_ECDHE_RSA_WITH_AES_256_CBC_SHA', 'ECDHE-RSA-AES256-SHA'],
];

/** Suites that are used only if the flag names them. An empty name: the OpenSSL in Node.js no longer has the suite. */
const byName: typeof byDefault = [
  ['TLS_RSA_WITH_AES_128_GCM_SHA256', 'AES128-GCM-SHA256'],
  ['TLS_RSA_WITH_AES_256_GCM_SHA384', 'AES256-GCM-SHA384'],
  ['TLS_RSA_WITH_AES_128_CBC_SHA', 'AES128-SHA'],
  ['TLS_RSA_WITH_AES_256_CBC_SHA', 'AES256-SHA'],
  ['TLS_ECDHE_RSA_WITH_3DES_EDE_CBC_SHA', ''],
  ['TLS_RSA_WITH_3DES_EDE_CBC_SHA', ''],
  ['TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256', 'ECDHE-ECDSA-AES128-SHA256'],
  ['TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA256', 'ECDHE-RSA-AES128-SHA256'],
  ['TLS_RSA_WITH_AES_128_CBC_SHA256', 'AES128-SHA256'],
  ['TLS_ECDHE_ECDSA_WITH_RC4_128_SHA', ''],
  ['TLS_ECDHE_RSA_WITH_RC4_128_SHA', ''],
  ['TLS_RSA_WITH_RC4_128_SHA', ''],
];

/** The suites of TLS 1.3 cannot be turned off, as in Go. */
const ofTls13 = ['TLS_AES_128_GCM_SHA256', 'TLS_AES_256_GCM_SHA384', 'TLS_CHACHA20_POLY1305_SHA256'];

/** Older names of some suites, which the flag also accepts (component-base/cli/flag). */
const olderNames: ReadonlyMap<string, string> = new Map([
  ['TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305', 'TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256'],
  ['TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305', 'TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256'],
]);

const requiredByHttp2 = ['TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256', 'TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256'];
const all = [...byDefault, ...byName];

/** The list for OpenSSL: the suites that the flag names, or the reference's default if it names none. */
export function openSslCiphers(named: readonly string[]): string {
  const wanted = new Set(named.map((name) => olderNames.get(name) ?? name));
  const suites = named.length === 0 ? byDefault : all.filter(([name]) => wanted.has(name));
  return [...ofTls13, ...suites.flatMap(([, openSsl]) => (openSsl === '' ? [] : [openSsl]))].join(':');
}

/** Errors in the flag, in the reference's words. `http2`: HTTP/2 is served on versions below TLS 1.3. */
export function cipherSuiteErrors(named: readonly string[], http2: boolean): string[] {
  const known = new Set([...all.map(([name]) => name), ...ofTls13, ...olderNames.keys()]);
  const unknown = named.find((name) => !known.has(name));
  if (unknown !== undefined) return [`Cipher suite ${unknown} not supported or doesn't exist`];
  if (!http2 || named.length === 0 || named.some((name) => requiredByHttp2.includes(name))) return [];
  return [
    `http2: TLSConfig.CipherSuites is missing an HTTP/2-required AES_128_GCM_SHA256 cipher (need at least one of ${requiredByHttp2.join(' or ')})`,
  ];
}
