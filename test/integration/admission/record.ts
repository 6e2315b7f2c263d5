// Records what the reference answers to the scenario, into gen/reference.json:
//   REFERENCE_URL=https://127.0.0.1:… node --import tsx test/integration/admission/record.ts
// The server must be fresh, with the tokens and the plugins of tokens.ts and `--authorization-mode=Node,RBAC
// --allow-privileged`.
import { writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { scenario } from './scenario.ts';
import { send, type StepAnswer } from './step.ts';
import { adminToken } from './tokens.ts';

const settleMs = 700;
const answers: StepAnswer[] = [];
for (const step of scenario) {
  if (step.settles === true) await sleep(settleMs);
  answers.push(await send({ url: process.env['REFERENCE_URL'] ?? 'https://127.0.0.1:6443', token: adminToken }, step));
}
const file = process.argv[2] ?? new URL('gen/reference.json', import.meta.url).pathname;
writeFileSync(file, `[\n${answers.map((answer) => JSON.stringify(answer)).join(',\n')}\n]\n`);
