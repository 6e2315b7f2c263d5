// Records what the reference tells to each case, over both protocols (gen/answers.json), to each sequence of frames
// (gen/frames.json), and to clients that wait with their body (gen/expectations.json).
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startReference } from '#test/reference.ts';
import { askExpecting, type Conversation } from './ask-expecting.ts';
import { askFrames, askHttp1, askHttp2 } from './case.ts';
import type { CaseAnswer, FramesOutcome } from './case.ts';
import { expectationCases } from './expectation-cases.ts';
import { frameCases } from './frame-cases.ts';
import { headerCases, impossibleCases } from './header-cases.ts';
import { methodCases } from './method-cases.ts';

const reference = await startReference();
const answers: Record<string, { readonly http1: CaseAnswer; readonly http2: CaseAnswer }> = Object.create(
  null,
) as typeof answers;
for (const item of [...methodCases, ...headerCases, ...impossibleCases])
  answers[item.name] = { http1: await askHttp1(reference.url, item), http2: await askHttp2(reference.url, item) };
const frames: Record<string, FramesOutcome> = Object.create(null) as typeof frames;
for (const item of frameCases) frames[item.name] = await askFrames(reference.url, item);
const expectations: Record<string, Record<'http1' | 'http2', Conversation>> = Object.create(
  null,
) as typeof expectations;
for (const item of expectationCases)
  expectations[item.name] = {
    http1: await askExpecting(reference.url, 'http/1.1', item),
    http2: await askExpecting(reference.url, 'h2', item),
  };
await reference.close();
mkdirSync(join(import.meta.dirname, 'gen'), { recursive: true });
writeFileSync(join(import.meta.dirname, 'gen', 'answers.json'), `${JSON.stringify(answers, undefined, 1)}\n`);
writeFileSync(join(import.meta.dirname, 'gen', 'frames.json'), `${JSON.stringify(frames, undefined, 1)}\n`);
writeFileSync(join(import.meta.dirname, 'gen', 'expectations.json'), `${JSON.stringify(expectations, undefined, 1)}\n`);
console.log(`${Object.keys(answers).length} cases and ${frameCases.length} sequences of frames recorded`);
