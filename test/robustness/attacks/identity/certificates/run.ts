// Client certificates of all shapes, asked of the reference and of this server over both protocols, and 500 subjects
// each by Go and OpenSSL. Needs Go, OpenSSL and the reference.
//   REFERENCE_BIN=FOLDER node --import tsx test/robustness/attacks/identity/certificates/run.ts [--record]
// `--record` writes what the reference says to gen/served.json, for served.test.ts.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startCluster } from '#test/cluster.ts';
import { startReference } from '#test/reference.ts';
import { SeededRandom } from '#test/robustness/faults/seeded-random.ts';
import { askWho } from './ask-who.ts';
import { opensslSubjects } from './openssl-subjects.ts';
import { servedCases, type ServedCase } from './served-cases.ts';
import { judgedHere, judgedThere, pemOf, type Verdict } from './verdicts.ts';

const protocols = ['h1', 'h2'] as const;
const subjects = 500;
const seed = 23;
/**
 * Go tells clients which signatures it takes on certificates (`signature_algorithms_cert`, crypto/tls
 * handshake_server_tls13.go), so that this one is not sent to it.
 */
const keptBack = new Set(['a leaf by MD5 with RSA']);
const folder = mkdtempSync(join(tmpdir(), 'attack-certificates-'));
const judge = join(folder, 'judge');

function verdicts(args: readonly string[], input?: readonly Verdict[]): Verdict[] {
  return JSON.parse(
    execFileSync(judge, args, {
      maxBuffer: 2 ** 28,
      ...(input === undefined ? {} : { input: JSON.stringify(input) }),
    }).toString(),
  ) as Verdict[];
}

/** Every case over both protocols. The authorities of all are trusted together. */
async function askAll(url: string, cases: readonly Verdict[]): Promise<Map<string, string>> {
  const answers = new Map<string, string>();
  for (const one of cases)
    for (const protocol of protocols) answers.set(`${protocol} ${one.name}`, await askWho(url, one, protocol));
  return answers;
}

/** The names of authorities by which clients are asked for certificates, in both versions of TLS. */
function offeredNames(url: string): string[] {
  return ['-tls1_2', '-tls1_3'].flatMap((version) => {
    const output = execFileSync(
      'openssl',
      ['s_client', '-connect', new URL(url).host, version, '-nameopt', 'RFC2253,dn_rev'],
      { input: '', stdio: ['pipe', 'pipe', 'ignore'], maxBuffer: 2 ** 24 },
    ).toString();
    const names =
      /^Acceptable client certificate CA names\n([^]*?)^(?:Client Certificate Types|Requested Signature Algorithms):/m.exec(
        output,
      )?.[1] ?? '';
    return names.split('\n').filter((name) => name !== '');
  });
}

function compareNames(here: readonly string[], there: readonly string[]): number {
  const equal = here.length > 100 && here.join('\n') === there.join('\n');
  process.stdout.write(
    `${there.length} names of authorities are offered, ${equal ? 'the same' : `here ${here.length}:\n${here.join('\n')}`}\n`,
  );
  return equal ? 0 : 1;
}

async function questioned(
  server: { readonly url: string; readonly close: () => Promise<void> },
  cases: readonly Verdict[],
) {
  try {
    return { names: offeredNames(server.url), answers: await askAll(server.url, cases) };
  } finally {
    await server.close();
  }
}

async function compareServers(): Promise<number> {
  const cases = verdicts(['chains', '--keys']).filter(({ name, key }) => key !== undefined && !keptBack.has(name));
  const path = join(folder, 'ca.crt');
  writeFileSync(path, [...new Set(cases.flatMap(({ roots }) => roots))].map((der) => pemOf(der)).join(''));
  const flags = ['--client-ca-file', path];
  const { names: namesThere, answers: there } = await questioned(await startReference({ flags }), cases);
  if (process.argv.includes('--record')) record(cases, there);
  const { names: namesHere, answers: here } = await questioned(await startCluster({ bundled: true, flags }), cases);
  let [wrong, sent] = [compareNames(namesHere, namesThere), 0];
  for (const [name, answer] of there) {
    const mine = here.get(name);
    if (mine !== 'unsendable') sent++;
    // Go ends the handshake over what it cannot read; here it is a 401.
    if (mine === answer || (answer === 'ended' && mine === 'refused')) continue;
    wrong++;
    process.stdout.write(`${name}\n  here  ${mine}\n  there ${answer}\n`);
  }
  process.stdout.write(`${sent} requests with certificates, ${wrong} differ\n`);
  return sent > 350 ? wrong : wrong + 1;
}

function record(cases: readonly Verdict[], answers: ReadonlyMap<string, string>): void {
  const served = cases
    .filter(({ name }) => servedCases.has(name))
    .map(({ name, sent, roots, key }): ServedCase => ({
      name,
      sent,
      roots,
      key: key ?? '',
      told: answers.get(`h1 ${name}`) ?? '',
    }));
  writeFileSync(
    new URL('gen/served.json', import.meta.url),
    `[\n${served.map((one) => JSON.stringify(one)).join(',\n')}\n]\n`,
  );
}

/** Subjects are judged by this process and by the reference's own authenticator. */
async function compareSubjects(by: string, subjectVerdicts: readonly Verdict[]): Promise<number> {
  let wrong = 0;
  for (const one of subjectVerdicts) {
    const here = await judgedHere(one);
    if (here === judgedThere(one)) continue;
    wrong++;
    process.stdout.write(`${one.name}\n  here  ${here}\n  there ${judgedThere(one)}\n`);
  }
  const users = subjectVerdicts.filter(({ user }) => user !== undefined).length;
  process.stdout.write(`${subjectVerdicts.length} subjects by ${by}, of which ${users} are users, ${wrong} differ\n`);
  return subjectVerdicts.length === subjects && users > subjects / 10 ? wrong : wrong + 1;
}

let wrong = 0;
try {
  execFileSync('go', ['build', '-o', judge, '.'], {
    cwd: join(import.meta.dirname, '../../../../recorders/certificates'),
    env: { ...process.env, GOFLAGS: '-mod=mod' },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  wrong += await compareSubjects('Go', verdicts(['subjects', String(seed), String(subjects)]));
  wrong += await compareSubjects(
    'OpenSSL',
    verdicts(['judge'], opensslSubjects(folder, new SeededRandom(seed), subjects)),
  );
  wrong += await compareServers();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = wrong === 0 ? 0 : 1;
