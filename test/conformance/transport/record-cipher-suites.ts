// Records which cipher suites the reference takes, without a flag and with some, and what it says of lists that it
// refuses:
//   REFERENCE_BIN=FOLDER node --import tsx test/conformance/transport/record-cipher-suites.ts > shared/server/http/testdata/cipher-suites.json
import { connect } from 'node:tls';
import { startReference } from '#test/reference.ts';

/**
 * OpenSSL's suites of TLS 1.2 for a certificate with an ECDSA key, and some for an RSA key. None of ECDHE-RSA: there
 * the reference falls back to the certificate of its own loopback client
 * (apiserver/pkg/server/options/serving_with_loopback.go).
 */
const offered = [
  'ECDHE-ECDSA-AES128-GCM-SHA256',
  'ECDHE-ECDSA-AES256-GCM-SHA384',
  'ECDHE-ECDSA-CHACHA20-POLY1305',
  'ECDHE-ECDSA-AES128-SHA',
  'ECDHE-ECDSA-AES256-SHA',
  'ECDHE-ECDSA-AES128-SHA256',
  'ECDHE-ECDSA-AES256-SHA384',
  'AES128-GCM-SHA256',
  'AES128-SHA',
  'DHE-RSA-AES128-GCM-SHA256',
];
const flags = [
  [],
  ['TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256'],
  ['TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256', 'TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256', 'TLS_RSA_WITH_RC4_128_SHA'],
  ['TLS_AES_128_GCM_SHA256', 'TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256', 'TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305'],
];
const refused = [
  { flag: ['TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256', 'ECDHE-RSA-AES128-SHA'], http2: true },
  { flag: ['TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384'], http2: true },
];

function accepts(url: string, ciphers: string): Promise<boolean> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect(
      {
        host: hostname,
        port: Number(port),
        rejectUnauthorized: false,
        ciphers: `${ciphers}:@SECLEVEL=0`,
        maxVersion: 'TLSv1.2',
      },
      () => {
        resolve(true);
        socket.destroy();
      },
    );
    socket.on('error', () => resolve(false));
  });
}

async function suitesTaken(flag: readonly string[]): Promise<string[]> {
  const reference = await startReference({ flags: flag.length === 0 ? [] : [`--tls-cipher-suites=${flag.join(',')}`] });
  const answers = await Promise.all(offered.map((suite) => accepts(reference.url, suite)));
  await reference.close();
  return offered.filter((_, at) => answers[at]);
}

async function complaint(flag: readonly string[]): Promise<string> {
  try {
    await (await startReference({ flags: [`--tls-cipher-suites=${flag.join(',')}`] })).close();
  } catch (error) {
    return (
      /(?:http2: TLSConfig[^"]*\)|Cipher suite \S+ not supported or doesn't exist)/.exec(String(error))?.[0] ??
      String(error)
    );
  }
  return '';
}

const taken = [];
for (const flag of flags) taken.push({ flag, suites: await suitesTaken(flag) });
const complaints = [];
for (const { flag, http2 } of refused) complaints.push({ flag, http2, error: await complaint(flag) });
process.stdout.write(`${JSON.stringify({ offered, taken, refused: complaints }, null, 1)}\n`);
