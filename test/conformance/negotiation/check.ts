import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startCluster } from '../../cluster.ts';
import { writeTokens } from '../../tokens.ts';
import { ask, gates, noAnswer, type Answers } from './ask.ts';

/** Compares what our bundles answer with what the reference answered. */
async function main(): Promise<void> {
  const { without, with: changed } = JSON.parse(
    readFileSync(new URL('gen/answers.json', import.meta.url), 'utf8'),
  ) as Record<keyof typeof gates, Record<string, string[]>>;
  const recorded = { without: byName(without), with: { ...byName(without), ...byName(changed) } };
  const folder = mkdtempSync(join(tmpdir(), 'negotiation-'));
  let compared = 0;
  let different = 0;
  for (const [name, flags] of Object.entries(gates)) {
    const cluster = await startCluster({ bundled: true, flags: ['--token-auth-file', writeTokens(folder), ...flags] });
    const answers = await ask(cluster);
    await cluster.close();
    for (const [of, expected] of Object.entries(recorded[name as keyof typeof gates])) {
      if (expected === noAnswer) continue;
      compared++;
      if (answers[of] === expected) continue;
      different++;
      console.log(`${name} gate: ${of}\n  expected ${expected}\n  got      ${answers[of]}`);
    }
  }
  rmSync(folder, { recursive: true, force: true });
  console.log(`${compared} answers compared, ${different} differ`);
  process.exitCode = different > 0 || compared === 0 ? 1 : 0;
}

/** Recorded are the names of the requests by their answer; of those with the gate, where it makes a difference. */
function byName(names: Record<string, string[]>): Answers {
  return Object.fromEntries(Object.entries(names).flatMap(([answer, all]) => all.map((name) => [name, answer])));
}

await main();
