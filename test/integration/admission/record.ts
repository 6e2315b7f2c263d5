// Records what the reference answers to the scenario, into gen/reference.json:
//   REFERENCE_BIN=… node --import tsx test/integration/admission/record.ts
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startReference } from '#test/reference.ts';
import { prepareFlags } from './flags.ts';
import { scenario } from './scenario.ts';
import { send, type StepAnswer } from './step.ts';
import { adminToken } from './tokens.ts';

const settleMs = 700;
const folder = mkdtempSync(join(tmpdir(), 'admission-'));
const reference = await startReference({ flags: prepareFlags(folder) });
const answers: StepAnswer[] = [];
try {
  for (const step of scenario) {
    if (step.settles === true) await sleep(settleMs);
    answers.push(await send({ url: reference.url, token: adminToken }, step));
  }
} finally {
  await reference.close();
  rmSync(folder, { recursive: true, force: true });
}
const file = process.argv[2] ?? new URL('gen/reference.json', import.meta.url).pathname;
writeFileSync(file, `[\n${answers.map((answer) => JSON.stringify(answer)).join(',\n')}\n]\n`);
