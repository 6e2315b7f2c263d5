// Records which of its certificates the reference shows to which host name, with --tls-sni-cert-key:
//   REFERENCE_BIN=FOLDER node --import tsx test/conformance/transport/record-named-certificates.ts > shared/server/http/testdata/named-certificates.json
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { createTestCa } from '#shared/server/testing/certificates.ts';
import { startReference } from '#test/reference.ts';

/** Another than that by which the reference is asked whether it is ready. */
const address = '127.0.0.2';
/**
 * Each with the host in the certificate and those of the flag. The reference's own certificate is for `localhost`,
 * among others.
 */
const sets = [
  [
    { subject: 'CN=given', host: 'inside.example', names: ['foo', '*.apps.example', 'bar.example'] },
    { subject: 'CN=own.example', host: 'alternative.example', names: [] },
    { subject: 'CN=later', host: 'later.example', names: ['foo', 'own.example'] },
    { subject: 'CN=*.star.example', host: '*.wild.example', names: [] },
  ],
  [{ subject: 'CN=address', host: 'address.example', names: [address] }],
  [{ subject: `CN=${address}`, host: 'number.example', names: [] }],
];
/** The empty one: none is asked for. */
const hosts = [
  '',
  'foo',
  'FOO',
  'bar.example',
  'x.apps.example',
  'x.y.apps.example',
  'apps.example',
  'inside.example',
  'own.example',
  'alternative.example',
  'later.example',
  'a.star.example',
  'a.wild.example',
  'localhost',
  'other.example',
  'address.example',
  'number.example',
];
const refused = ['a', 'a,b:', 'a,b,c', ',', 'a,b:x:y'];

function commonNameShown(url: string, host: string): Promise<string> {
  const { port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(
      { host: address, port: Number(port), rejectUnauthorized: false, ...(host === '' ? {} : { servername: host }) },
      () => {
        resolve(String(socket.getPeerCertificate().subject.CN));
        socket.destroy();
      },
    );
    socket.on('error', reject);
  });
}

const folder = mkdtempSync(join(tmpdir(), 'named-certificates-'));
const ca = await createTestCa();
async function shown(set: (typeof sets)[number]): Promise<Record<string, string>> {
  const flags = ['--bind-address=0.0.0.0'];
  for (const [at, { subject, host, names }] of set.entries()) {
    const { cert, key } = await ca.issue(subject, 'server', undefined, host);
    const [certFile, keyFile] = [join(folder, `${at}.crt`), join(folder, `${at}.key`)];
    writeFileSync(certFile, cert);
    writeFileSync(keyFile, key);
    flags.push(`--tls-sni-cert-key=${certFile},${keyFile}${names.length === 0 ? '' : `:${names.join(',')}`}`);
  }
  const reference = await startReference({ flags });
  try {
    return Object.fromEntries(
      await Promise.all(hosts.map(async (host) => [host, await commonNameShown(reference.url, host)] as const)),
    );
  } finally {
    await reference.close();
  }
}

async function complaint(flag: string): Promise<string> {
  try {
    await (await startReference({ flags: [`--tls-sni-cert-key=${flag}`] })).close();
  } catch (error) {
    return /invalid argument .*/.exec(String(error))?.[0] ?? '';
  }
  return '';
}

const recorded = [];
for (const set of sets) recorded.push({ certificates: set, shown: await shown(set) });
const complaints = [];
for (const flag of refused) complaints.push({ flag, error: await complaint(flag) });
process.stdout.write(
  `${JSON.stringify({ sets: recorded, refused: complaints.filter(({ error }) => error !== '') }, null, 1)}\n`,
);
rmSync(folder, { recursive: true });
