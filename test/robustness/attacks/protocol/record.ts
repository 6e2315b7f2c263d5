// Records what the reference tells to each case, over both protocols: gen/answers.json.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startReference } from '../../../reference.ts';
import { askHttp1, askHttp2 } from './case.ts';
import type { Told } from './case.ts';
import { headerCases, http1OnlyCases } from './header-cases.ts';
import { methodCases } from './method-cases.ts';

const reference = await startReference();
const answers: Record<string, { readonly http1: Told; readonly http2: Told }> = Object.create(null) as typeof answers;
for (const item of [...methodCases, ...headerCases, ...http1OnlyCases]) answers[item.name] = { http1: await askHttp1(reference.url, item), http2: await askHttp2(reference.url, item) };
await reference.close();
mkdirSync(join(import.meta.dirname, 'gen'), { recursive: true });
writeFileSync(join(import.meta.dirname, 'gen', 'answers.json'), `${JSON.stringify(answers, undefined, 1)}\n`);
console.log(`${Object.keys(answers).length} cases recorded`);
