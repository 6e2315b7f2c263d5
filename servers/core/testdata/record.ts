// Records what a reference kube-apiserver answers to the requests beside this file, as dry runs:
//   REFERENCE_URL=https://127.0.0.1:6443 REFERENCE_TOKEN=… NODE_TLS_REJECT_UNAUTHORIZED=0 node --import tsx servers/core/testdata/record.ts
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { requests } from './requests.ts';

const { REFERENCE_URL: url = '', REFERENCE_TOKEN: token = '' } = process.env;
const answers: unknown[] = [];
for (const { group, version, resource, namespaced, body } of requests) {
  const path = `${group === '' ? '/api' : `/apis/${group}`}/${version}${namespaced ? '/namespaces/default' : ''}/${resource}?dryRun=All`;
  const answer = await fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
  });
  const { metadata: _metadata, ...content } = (await answer.json()) as Record<string, unknown>;
  answers.push({
    code: answer.status,
    ...(answer.status === 422 ? { causes: (content['details'] as { causes: unknown }).causes } : { content }),
  });
}
writeFileSync(join(import.meta.dirname, 'recorded.json'), `${JSON.stringify(answers, undefined, 1)}\n`);
