import { mkdirSync, writeFileSync } from 'node:fs';
import { startReference } from '#test/reference.ts';
import { ask, gates, type Answers } from './ask.ts';

/** Writes what the reference answers; see README.md. */
async function main(): Promise<void> {
  const recorded: Record<string, Answers> = {};
  for (const [name, flags] of Object.entries(gates)) {
    const server = await startReference({ flags });
    const answers = await ask(server);
    await server.close();
    recorded[name] = answers;
    console.log(`${Object.keys(answers).length} answers ${name} the feature gate`);
  }
  const folder = new URL('gen/', import.meta.url);
  mkdirSync(folder, { recursive: true });
  const { without = {}, with: withGate = {} } = recorded;
  const changed = Object.fromEntries(Object.entries(withGate).filter(([name, answer]) => without[name] !== answer));
  writeFileSync(
    new URL('answers.json', folder),
    `${JSON.stringify({ without: byAnswer(without), with: byAnswer(changed) }, null, 1)}\n`,
  );
}

/** Many requests have one answer. */
function byAnswer(answers: Answers): Record<string, string[]> {
  const out: Record<string, string[]> = {};
  for (const [name, answer] of Object.entries(answers)) (out[answer] ??= []).push(name);
  return Object.fromEntries(
    Object.entries(out)
      .map(([answer, names]) => [answer, names.sort()] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

await main();
