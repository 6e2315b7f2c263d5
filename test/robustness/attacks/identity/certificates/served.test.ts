import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { startCluster, type Cluster } from '#test/cluster.ts';
import { askWho } from './ask-who.ts';
import { servedCases, type ServedCase } from './served-cases.ts';
import { pemOf } from './verdicts.ts';

const cases = JSON.parse(readFileSync(new URL('gen/served.json', import.meta.url), 'utf8')) as ServedCase[];
const folder = mkdtempSync(join(tmpdir(), 'served-certificates-'));
const authorities = join(folder, 'ca.crt');

let cluster: Cluster;
/** Trusts the authorities of the cases from now on. */
function trust(trusted: readonly ServedCase[]): void {
  writeFileSync(authorities, [...new Set(trusted.flatMap(({ roots }) => roots))].map((der) => pemOf(der)).join(''));
}

before(async () => {
  trust(cases);
  cluster = await startCluster({ flags: ['--client-ca-file', authorities] });
});
after(async () => {
  await cluster.close();
  rmSync(folder, { recursive: true });
});

describe('client certificates over TLS', () => {
  test('authenticate the user that kube-apiserver finds, over HTTP/1.1 and HTTP/2', async () => {
    const differences: string[] = [];
    for (const one of cases) {
      for (const protocol of ['h1', 'h2'] as const) {
        const answer = await askWho(cluster.url, one, protocol);
        // Go ends the handshake over what it cannot read; here it is a 401.
        if (answer !== one.told && !(one.told === 'ended' && answer === 'refused'))
          differences.push(`${protocol} ${one.name}: ${answer} instead of ${one.told}`);
      }
    }
    assert.deepEqual(differences, []);
    assert.equal(cases.length, servedCases.size);
  });

  const caseOf = (wanted: string): ServedCase => cases.find(({ name }) => name === wanted) ?? assert.fail(wanted);

  /** Asks until the answer is there: the file is followed, and its change takes a moment to be heard of. */
  async function becomes(one: ServedCase, wanted: string): Promise<void> {
    const patience = performance.now() + 10_000;
    for (;;) {
      const answers = await Promise.all((['h1', 'h2'] as const).map((protocol) => askWho(cluster.url, one, protocol)));
      if (answers.every((answer) => answer === wanted)) return;
      if (performance.now() > patience) assert.deepEqual(answers, [wanted, wanted], one.name);
      await sleep(50);
    }
  }

  test('follow additions and removals in the client CA file of a running server', async () => {
    const [stays, goes] = [caseOf('a leaf by SHA-256 with RSA'), caseOf('a permitted host')];
    await becomes(goes, goes.told);
    trust([stays]);
    await becomes(goes, 'refused');
    await becomes(stays, stays.told);
    trust([goes]);
    await becomes(goes, goes.told);
    await becomes(stays, 'refused');
    // A file that holds none is told of, and changes nothing.
    writeFileSync(authorities, 'no certificate\n');
    await until(() => cluster.output().includes('does not contain any valid'));
    await becomes(goes, goes.told);
    await becomes(stays, 'refused');
  });

  async function until(isTrue: () => boolean): Promise<void> {
    for (const patience = performance.now() + 10_000; !isTrue(); await sleep(50))
      assert.ok(performance.now() < patience, cluster.output());
  }

  test('prevent the start when the client CA file is empty, or an admission plugin is unknown or not configured', async () => {
    const empty = join(folder, 'empty.crt');
    writeFileSync(empty, 'no certificate\n');
    const refusals = await Promise.all(
      [
        ['--client-ca-file', empty],
        ['--enable-admission-plugins', 'NodeRestriction,Nope'],
        ['--enable-admission-plugins', 'EventRateLimit'],
      ].map(
        async (flags) =>
          await startCluster({ flags }).then(
            (started) => started.close().then(() => 'started'),
            (error: unknown) => String(error),
          ),
      ),
    );
    assert.match(refusals[0] ?? '', /empty\.crt.*does not contain any valid|does not contain any valid.*empty\.crt/);
    assert.match(refusals[1] ?? '', /enable-admission-plugins plugin \\?"Nope\\?" is unknown/);
    assert.match(
      refusals[2] ?? '',
      /couldn't init admission plugin \\?"EventRateLimit\\?": limits: Invalid value: null: must not be empty/,
    );
  });
});
