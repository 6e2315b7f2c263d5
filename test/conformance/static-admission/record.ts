// Records why kube-apiserver refuses each start of starts.ts, for the unit tests of shared/admission/manifests:
//   REFERENCE_BIN=… node --import tsx test/conformance/static-admission/record.ts
import { writeFileSync } from 'node:fs';
import { referenceReasons } from '#test/conformance/admission-plugins/reference-refusals.ts';
import { manifestStarts } from './starts.ts';

const reasons = await referenceReasons(manifestStarts);
const lines = manifestStarts.map((start, index) => JSON.stringify({ ...start, reason: reasons[index] }));
const file = '../../../shared/admission/manifests/testdata/refusals.json';
writeFileSync(process.argv[2] ?? new URL(file, import.meta.url), `[\n${lines.join(',\n')}\n]\n`);
