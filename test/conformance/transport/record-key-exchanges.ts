// Records which key exchanges the reference takes, without --tls-curve-preferences and with some, and what it says of
// lists that it refuses:
//   REFERENCE_BIN=FOLDER node --import tsx test/conformance/transport/record-key-exchanges.ts > shared/server/http/testdata/key-exchanges.json
import { connect } from 'node:tls';
import { startReference } from '#test/reference.ts';

/** Groups as OpenSSL calls them; X448, ffdhe2048 and MLKEM768 are none of Go's. */
const offered = [
  'X25519',
  'P-256',
  'P-384',
  'P-521',
  'X448',
  'ffdhe2048',
  'MLKEM768',
  'X25519MLKEM768',
  'SecP256r1MLKEM768',
  'SecP384r1MLKEM1024',
];
const flags = ['', '23,24,25,29,4588', '29', '25,4589', '23,4587'];
const refused = ['0', '-1', '70000', '9999', '23,29,23', 'P-256', '23,', '99999999999'];

function accepts(url: string, group: string): Promise<boolean> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port), rejectUnauthorized: false, ecdhCurve: group }, () => {
      resolve(true);
      socket.destroy();
    });
    socket.on('error', () => resolve(false));
  });
}

async function groupsTaken(flag: string): Promise<string[]> {
  const reference = await startReference({ flags: flag === '' ? [] : [`--tls-curve-preferences=${flag}`] });
  const answers = await Promise.all(offered.map((group) => accepts(reference.url, group)));
  await reference.close();
  return offered.filter((_, at) => answers[at]);
}

async function complaint(flag: string): Promise<string> {
  try {
    await (await startReference({ flags: [`--tls-curve-preferences=${flag}`] })).close();
  } catch (error) {
    return /(?:invalid argument .*|(?:duplicate )?curve preference [^\n"]*)/.exec(String(error))?.[0] ?? String(error);
  }
  return '';
}

const taken = [];
for (const flag of flags) taken.push({ flag, groups: await groupsTaken(flag) });
const complaints = [];
for (const flag of refused) complaints.push({ flag, error: await complaint(flag) });
process.stdout.write(`${JSON.stringify({ offered, taken, refused: complaints }, null, 1)}\n`);
