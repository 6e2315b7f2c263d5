/**
 * Sends requests as kubectl would: reads the kubeconfig that is named, trusts its authority alone, and creates, reads
 * and removes a ConfigMap. Needs nothing but Node, so that it runs in every surrounding. Usage: client.mjs KUBECONFIG
 */
import { readFileSync } from 'node:fs';
import { request } from 'node:https';

const withinMs = 20_000;
const text = readFileSync(process.argv[2] ?? '', 'utf8');
const member = (name) => new RegExp(`^ *${name}: (.+)$`, 'm').exec(text)?.[1] ?? '';
const data = (name) => Buffer.from(member(`${name}-data`), 'base64');
const options = {
  ca: data('certificate-authority'),
  cert: data('client-certificate'),
  key: data('client-key'),
  agent: false,
};

function send(method, path, body) {
  return new Promise((resolve, reject) => {
    const sent = request(`${member('server')}${path}`, { ...options, method }, (response) => {
      let answer = '';
      response.setEncoding('utf8').on('data', (more) => (answer += more));
      response.on('error', reject).on('end', () => {
        if ((response.statusCode ?? 500) < 300) resolve(answer);
        else reject(new Error(`${method} ${path}: ${response.statusCode} ${answer.slice(0, 300)}`));
      });
    });
    sent.on('error', (error) => reject(new Error(`${method} ${path}: ${error.message}`)));
    sent.setTimeout(withinMs, () => sent.destroy(new Error(`no answer within ${withinMs} ms`)));
    if (body !== undefined) sent.setHeader('content-type', 'application/json');
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

const path = '/api/v1/namespaces/default/configmaps';
const name = `surroundings-${process.pid}`;
await send('GET', '/api/v1/namespaces/default');
await send('POST', path, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { text: 'x' } });
await send('GET', `${path}/${name}`);
await send('DELETE', `${path}/${name}`);
