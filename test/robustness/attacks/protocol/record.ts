// Records what the reference tells to each case, over both protocols (gen/answers.json), and to each sequence of frames
// (gen/frames.json).
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startReference } from '#test/reference.ts';
import { askFrames, askHttp1, askHttp2 } from './case.ts';
import type { CaseAnswer, FramesOutcome } from './case.ts';
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
await reference.close();
mkdirSync(join(import.meta.dirname, 'gen'), { recursive: true });
writeFileSync(join(import.meta.dirname, 'gen', 'answers.json'), `${JSON.stringify(answers, undefined, 1)}\n`);
writeFileSync(join(import.meta.dirname, 'gen', 'frames.json'), `${JSON.stringify(frames, undefined, 1)}\n`);
console.log(`${Object.keys(answers).length} cases and ${frameCases.length} sequences of frames recorded`);
