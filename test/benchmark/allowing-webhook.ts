// A webhook over TLS that allows each request, or adds a label where its path is /mutate. It is a process of its own,
// whose CPU counts for nobody.
//   node --import tsx test/benchmark/allowing-webhook.ts
// Its first line is a JSON object: port, and the CA bundle in base64.
import { Buffer } from 'node:buffer';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { isObject, type JsonValue } from '#shared/apimachinery/json/json.ts';
import { stringAt } from '#shared/apimachinery/object.ts';
import { createTestCa } from '#shared/server/testing/certificates.ts';

const patch = Buffer.from('[{"op":"add","path":"/metadata/labels","value":{"by":"webhook"}}]').toString('base64');
const ca = await createTestCa('CN=webhooks');
const server = createServer(await ca.issue('CN=webhook', 'server'), (request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const review = JSON.parse(Buffer.concat(chunks).toString('utf8')) as JsonValue;
    if (!isObject(review)) throw new Error('the review is no object');
    const uid = stringAt(review, 'request', 'uid');
    const mutation = request.url?.startsWith('/mutate') === true ? { patch, patchType: 'JSONPatch' } : {};
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify({
        kind: 'AdmissionReview',
        apiVersion: 'admission.k8s.io/v1',
        response: { uid, allowed: true, ...mutation },
      }),
    );
  });
});
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  console.log(JSON.stringify({ port, caBundle: Buffer.from(ca.cert).toString('base64') }));
});
