// Gives the annotations, legacy fields and options that upstream's rules read good and bad values, on this server and
// on the reference, and compares every answer:
//   REFERENCE_BIN=FOLDER node --import tsx test/conformance/legacy-rules/run.ts [--share N] [TEXT-IN-A-NAME…]
//   REFERENCE_BIN=FOLDER node --import tsx test/conformance/legacy-rules/run.ts --record
// With --share one case of N is played, other ones each day, and with texts those whose names have one of them.
// --record writes testdata/recorded.json.gz from the reference, which `npm test` plays. With --reference URL and
// --ours URL servers that run already are used.
import { parseArgs } from 'node:util';
import { differencesOf } from '#test/compare/differences.ts';
import { serversAt, startTheirs } from '#test/compare/pair.ts';
import { Report } from '#test/compare/report.ts';
import { adminToken } from '#test/tokens.ts';
import { ruleCases } from './cases.ts';
import { writeRecorded } from './recorded.ts';
import { playCase, prepareServer, type RecordedCase } from './rule-case.ts';

const { values: flags, positionals: chosen } = parseArgs({
  allowPositionals: true,
  options: {
    reference: { type: 'string' },
    ours: { type: 'string' },
    share: { type: 'string', default: '1' },
    record: { type: 'boolean', default: false },
  },
});

async function record(): Promise<void> {
  const reference = await startTheirs();
  try {
    await prepareServer(reference.server);
    const recorded: RecordedCase[] = [];
    for (const one of ruleCases) recorded.push(await playCase(reference.server, one));
    writeRecorded(recorded);
    console.log(`${recorded.length} cases recorded`);
  } finally {
    await reference.close();
  }
}

async function compare(): Promise<0 | 1> {
  const share = Number(flags.share);
  /** Days since 1970. */
  const today = Math.floor(Date.now() / 86_400_000);
  const wanted = ruleCases.filter(
    ({ name }, index) =>
      (chosen.length === 0 || chosen.some((part) => name.includes(part))) && index % share === today % share,
  );
  const report = new Report();
  const pair = await serversAt(flags, adminToken);
  const { ours, theirs } = pair;
  await Promise.all([prepareServer(ours), prepareServer(theirs)]);
  for (const one of wanted) {
    const [have, want] = await Promise.all([playCase(ours, one), playCase(theirs, one)]);
    for (const [index, { request, answer }] of want.answers.entries())
      report.note(one.name, `${request} (request ${index})`, differencesOf(answer, have.answers[index]?.answer));
  }
  await pair.close();
  return report.finish();
}

if (flags.record) await record();
process.exit(flags.record ? 0 : await compare());
