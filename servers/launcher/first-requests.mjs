import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const group = 'warm.quarterdeck.example';
const objects = `/apis/${group}/v1/namespaces/default/warms`;
const text = { type: 'string', maxLength: 63 };
/** A validation rule of each common kind. */
const validations = [
  { rule: '!has(self.size) || self.size >= 1 && self.size <= 100', message: 'out of bounds' },
  { rule: "!has(self.text) || self.text.matches('^[a-z]{1,20}$')" },
  { rule: 'self.list.all(x, x.size() < 10) && self.list.exists(x, x.startsWith("a"))' },
  { rule: "self.size > 0 || self.text != ''", messageExpression: "'no ' + self.text" },
  { rule: 'self.text == oldSelf.text', message: 'immutable' },
];
const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `warms.${group}` },
  spec: {
    group,
    scope: 'Namespaced',
    names: { plural: 'warms', kind: 'Warm' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              spec: {
                type: 'object',
                properties: { size: { type: 'integer' }, text, list: { type: 'array', maxItems: 8, items: text } },
                'x-kubernetes-validations': validations,
              },
            },
          },
        },
      },
    ],
  },
};

/**
 * Sends the first requests that run validation rules, whose code is loaded on demand. If the code cache lacks that
 * code, compiling it delays the first object after a start by 100 ms.
 */
export async function sendFirstRequests(port, data) {
  const pem = (name) => readFileSync(join(data, 'pki', name));
  const agent = new Agent({ ca: pem('ca.crt'), cert: pem('admin.crt'), key: pem('admin.key'), keepAlive: true });
  const send = (method, path, body) => status({ agent, port, method, path }, body);
  try {
    await expect(send('POST', definitions, definition), 201);
    while ((await send('GET', objects)) !== 200) await pause(20);
    const object = (size) => ({
      apiVersion: `${group}/v1`,
      kind: 'Warm',
      metadata: { name: 'a' },
      spec: { size, text: 'abc', list: ['a', 'b'] },
    });
    await expect(send('POST', objects, object(1)), 201);
    await expect(send('PATCH', `${objects}/a`, object(2)), 200);
    await expect(send('PATCH', `${objects}/a`, object(0)), 422);
  } finally {
    agent.destroy();
  }
}

async function expect(answer, wanted) {
  const found = await answer;
  if (found !== wanted) throw new Error(`a first request was answered ${found}, not ${wanted}`);
}

function status({ agent, port, method, path }, body) {
  const { promise, resolve, reject } = Promise.withResolvers();
  const headers = { 'content-type': method === 'PATCH' ? 'application/merge-patch+json' : 'application/json' };
  const sent = request({ agent, host: '127.0.0.1', port, method, path, headers }, (answer) => {
    answer.resume().on('end', () => resolve(answer.statusCode));
  });
  sent.on('error', reject).end(body === undefined ? undefined : JSON.stringify(body));
  return promise;
}
