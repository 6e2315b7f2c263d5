// Compares what `/logs` serves of `/var/log`, where it writes a folder for the time of the run, with the reference:
//   REFERENCE_BIN=FOLDER node --import tsx test/conformance/log-files/run.ts
// Needs the bundles of dist (or QUARTERDECK_DIST), etcd, and the right to write in /var/log.
import { startPair } from '#test/compare/pair.ts';
import { Report } from '#test/compare/report.ts';
import { ask, type FileAnswer } from './ask.ts';
import { writeLogFolder } from './folder.ts';
import { questions } from './questions.ts';

const report = new Report();
const folder = writeLogFolder();

// Explained: paths with control characters are refused before any filter (shared/server/http/malformed-targets.ts).

/** Boundaries of parts are drawn at random. */
function withoutBoundary(answer: FileAnswer): string {
  return JSON.stringify(answer).replaceAll(/[0-9a-f]{60}/g, 'BOUNDARY');
}

async function compare(part: string, flags: readonly string[]): Promise<void> {
  const pair = await startPair({ flags });
  try {
    for (const question of questions) {
      const [ours = '', theirs = ''] = await Promise.all(
        [pair.ours, pair.theirs].map(async ({ url }) => withoutBoundary(await ask(url, folder.name, question))),
      );
      const differences = ours === theirs ? [] : [`ours ${ours}`, `theirs ${theirs}`];
      report.note(part, JSON.stringify(question).slice(0, 200), differences, question.path.includes('%00'));
    }
  } finally {
    await pair.close();
  }
}

try {
  await compare('served', ['--enable-logs-handler=true']);
  await compare('not served', []);
} finally {
  folder.remove();
}
process.exitCode = report.finish();
