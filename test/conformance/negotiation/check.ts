import { readFileSync } from 'node:fs';
import { startOurs } from '#test/compare/pair.ts';
import { Report } from '#test/compare/report.ts';
import { ask, gates, noAnswer, type Answers } from './ask.ts';

/** Compares what our bundles answer with what the reference answered. */
async function main(): Promise<void> {
  const { without, with: changed } = JSON.parse(
    readFileSync(new URL('gen/answers.json', import.meta.url), 'utf8'),
  ) as Record<keyof typeof gates, Record<string, string[]>>;
  const recorded = { without: byName(without), with: { ...byName(without), ...byName(changed) } };
  const report = new Report();
  for (const [name, flags] of Object.entries(gates)) {
    const server = await startOurs({ flags });
    const answers = await ask(server);
    await server.close();
    const expected = recorded[name as keyof typeof gates];
    const answered = Object.entries(expected).filter(([, answer]) => answer !== noAnswer);
    report.answers(`${name} the feature gate`, new Map(answered), new Map(Object.entries(answers)));
  }
  process.exitCode = report.finish();
}

/** Recorded are the names of the requests by their answer; of those with the gate, where it makes a difference. */
function byName(names: Record<string, string[]>): Answers {
  return Object.fromEntries(Object.entries(names).flatMap(([answer, all]) => all.map((name) => [name, answer])));
}

await main();
