// Bytes of headers, queries and paths, in UTF-8 and not, over both versions of HTTP, beside the reference.
//   REFERENCE_BIN=FOLDER node --import tsx test/robustness/attacks/identity/header-bytes/run.ts [--every N] [--only TEXT]
//       [--record]
// Asked is one series of so many (`--every`), and of these the questions whose names have the text.
// `--record` writes what the reference answers to some questions to gen/answers.json, for header-bytes.test.ts.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { startOurs, startTheirs, type Side } from '#test/compare/pair.ts';
import { Report } from '#test/compare/report.ts';
import { answersOf, isExplained, type Protocol } from './answers.ts';
import { questionParts, recordedQuestions } from './questions.ts';
import { headerFlags, writeFormTokens } from './set-up.ts';

const { values } = parseArgs({
  options: {
    every: { type: 'string', default: '1' },
    only: { type: 'string', default: '' },
    record: { type: 'boolean', default: false },
  },
});
const every = Number(values.every);
const protocols: readonly Protocol[] = ['HTTP/1.1', 'HTTP/2'];
const chosen = new Map(
  [...questionParts].map(([part, all]) => [
    part,
    all
      .filter((_series, at) => at % every === 0)
      .flat()
      .filter(({ what }) => what.includes(values.only)),
  ]),
);
const folder = mkdtempSync(join(tmpdir(), 'header-bytes-'));

async function askEverything(side: Side): Promise<Map<string, Map<string, JsonObject>>> {
  try {
    const answers = new Map<string, Map<string, JsonObject>>();
    for (const protocol of protocols)
      for (const [part, questions] of chosen)
        answers.set(`${part}, over ${protocol}`, await answersOf(side, protocol, questions));
    return answers;
  } finally {
    await side.close();
  }
}

async function record(side: Side): Promise<void> {
  try {
    const answers = await answersOf(side, 'HTTP/2', recordedQuestions);
    const lines = [...answers].map(([what, answer]) => `${JSON.stringify(what)}: ${JSON.stringify(answer)}`);
    writeFileSync(new URL('gen/answers.json', import.meta.url), `{\n${lines.join(',\n')}\n}\n`);
  } finally {
    await side.close();
  }
}

const report = new Report();
try {
  const tokens = writeFormTokens(folder);
  if (values.record) await record(await startTheirs(headerFlags(tokens, [])));
  const there = await askEverything(await startTheirs(headerFlags(tokens, [])));
  const here = await askEverything(await startOurs({ flags: headerFlags(tokens, ['X-Remote-']) }));
  for (const protocol of protocols)
    for (const [part, questions] of chosen) {
      const name = `${part}, over ${protocol}`;
      const asked = new Map(questions.map((one) => [one.what, one]));
      report.answers(
        name,
        there.get(name) ?? new Map<string, JsonObject>(),
        here.get(name) ?? new Map(),
        (what, answer) => {
          const question = asked.get(what);
          return question !== undefined && isExplained(question, answer, protocol);
        },
      );
    }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = report.finish();
