// Records why kube-apiserver refuses each start of starts.ts, for the unit tests of shared/admission/configuration:
//   REFERENCE_BIN=… node --import tsx test/conformance/admission-plugins/record.ts
import { writeFileSync } from 'node:fs';
import { referenceReasons } from './reference-refusals.ts';
import { refusedStarts } from './starts.ts';

const reasons = await referenceReasons(refusedStarts);
const lines = refusedStarts.map((start, index) => JSON.stringify({ ...start, reason: reasons[index] }));
const folder = '../../../shared/admission/configuration/testdata/';
writeFileSync(process.argv[2] ?? new URL(`${folder}refusals.json`, import.meta.url), `[\n${lines.join(',\n')}\n]\n`);
