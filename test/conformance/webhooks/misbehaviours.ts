import type { IncomingMessage, ServerResponse } from 'node:http';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { stringAt } from '#shared/apimachinery/object.ts';

/** What becomes of a review: `request` is the review, or empty where the body was. */
export type Respond = (request: JsonObject, response: ServerResponse, incoming: IncomingMessage) => void;

const json = { 'content-type': 'application/json' };

function allow(request: JsonObject, response: ServerResponse): void {
  const version = stringAt(request, 'apiVersion');
  const uid = stringAt(request, 'request', 'uid');
  response.writeHead(200, json);
  response.end(JSON.stringify({ kind: 'AdmissionReview', apiVersion: version, response: { uid, allowed: true } }));
}

function redirected(code: number, location: string | ((port: number) => string)): Respond {
  return (_request, response, incoming) => {
    const to = typeof location === 'string' ? location : location(incoming.socket.localPort ?? 0);
    response.writeHead(code, { location: to, 'content-type': 'text/plain' }).end('elsewhere');
  };
}

function code(status: number, headers: Readonly<Record<string, string>>, text = 'busy'): Respond {
  return (_request, response) =>
    void response.writeHead(status, { 'content-type': 'text/plain', ...headers }).end(text);
}

/** Answers the first call of a review in another way than the later ones. */
function firstly(first: Respond, then: Respond): Respond {
  const seen = new Set<string>();
  return (request, ...rest) => {
    const uid = stringAt(request, 'request', 'uid');
    (seen.has(uid) ? then : first)(request, ...rest);
    seen.add(uid);
  };
}

function cut(headers: Readonly<Record<string, string>>): Respond {
  return (_request, response) => {
    response.writeHead(200, { ...json, ...headers });
    response.write('{"kind":', () => response.destroy());
  };
}

const again = { 'retry-after': '0' };

/** Answers that are none, or that send the client elsewhere or later. */
export const misbehaviours: Readonly<Record<string, Respond>> = {
  'redirect-301': redirected(301, 'allow'),
  'redirect-302': redirected(302, 'allow'),
  'redirect-303': redirected(303, 'allow'),
  'redirect-307': redirected(307, 'allow'),
  'redirect-308': redirected(308, 'allow?timeout=7s'),
  'redirect-304': redirected(304, 'allow'),
  'redirect-300': redirected(300, 'allow'),
  'redirect-twice': redirected(307, 'redirect-308'),
  'redirect-loop': redirected(307, 'redirect-loop'),
  'redirect-missing': redirected(307, '404'),
  'redirect-hang': redirected(307, 'hang'),
  'redirect-bad': redirected(307, 'https://[::'),
  'redirect-origin': redirected(307, (port) => `https://127.0.0.1:${port}/other/allow`),
  'redirect-nowhere': (_request, response) => void response.writeHead(302, json).end('{}'),
  'redirect-host': redirected(307, (port) => `https://localhost:${port}/other/allow`),
  'redirect-plain': redirected(307, (port) => `http://127.0.0.1:${port}/other/allow`),
  'busy-once': firstly(code(429, again), allow),
  'away-once': firstly(code(503, again), allow),
  'busy-later': firstly(code(429, { 'retry-after': '1' }), allow),
  'busy-always': code(429, again),
  'busy-too-long': code(500, { 'retry-after': '30' }),
  'busy-for-good': code(429, {}),
  'busy-until': code(503, { 'retry-after': 'Wed, 21 Oct 2099 07:28:00 GMT' }),
  'busy-fraction': code(503, { 'retry-after': '0.5' }),
  'busy-earlier': firstly(code(503, { 'retry-after': '-1' }), allow),
  'wrong-but-later': code(400, again),
  'busy-then-reset': firstly(code(429, again), (_request, response) => void response.destroy()),
  'busy-then-hang': firstly(code(429, again), () => undefined),
  'cut-length': cut({ 'content-length': '100' }),
  'cut-chunks': cut({}),
  'hang-in-body': (_request, response) => {
    response.writeHead(200, { ...json, 'content-length': '100' });
    response.write('{"kind":');
  },
  'no-http': (_request, response) => void response.socket?.end('hello\r\n\r\n'),
  'status-failure': (_request, response) =>
    void response
      .writeHead(200, json)
      .end('{"kind":"Status","apiVersion":"v1","status":"Failure","message":"no","code":409,"reason":"Conflict"}'),
  'status-success': (_request, response) =>
    void response.writeHead(200, json).end('{"kind":"Status","apiVersion":"v1","status":"Success"}'),
  'type-text': (request, response) => {
    response.setHeader('content-type', 'text/plain');
    const uid = stringAt(request, 'request', 'uid');
    response.end(
      JSON.stringify({ kind: 'AdmissionReview', apiVersion: 'admission.k8s.io/v1', response: { uid, allowed: true } }),
    );
  },
  'type-broken': (_request, response) => void response.writeHead(200, { 'content-type': 'a b;;' }).end('{}'),
  'type-yaml': (request, response) =>
    void response
      .writeHead(200, { 'content-type': 'application/yaml' })
      .end(
        `kind: AdmissionReview\napiVersion: admission.k8s.io/v1\nresponse:\n  uid: ${stringAt(request, 'request', 'uid')}\n  allowed: true\n`,
      ),
};
