// Starts this server and kube-apiserver with the same folders of manifests (KEP-5793), sends requests to both while the
// files change, and compares the answers; and why both refuse to start with manifests that are wrong:
//   REFERENCE_BIN=FOLDER node --import tsx test/conformance/static-admission/run.ts [--only starts|rules]
// Needs the bundles of dist (or QUARTERDECK_DIST).
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isObject } from '#shared/apimachinery/json/json.ts';
import { stringAt } from '#shared/apimachinery/object.ts';
import { differencesFromAll } from '#test/compare/differences.ts';
import { sendJson, type Exchange, type Server } from '#test/compare/exchange.ts';
import { normalForm } from '#test/compare/normal-form.ts';
import { startPair } from '#test/compare/pair.ts';
import { Report } from '#test/compare/report.ts';
import { compareStarts } from '#test/conformance/admission-plugins/compare-starts.ts';
import { startWebhookServer } from '#test/conformance/webhooks/webhook-server.ts';
import { Folders } from './folders.ts';
import { binding, policy } from './manifests.ts';
import { apiRules, createMap, requestsAtStart, widgetsPath, type StaticRequest } from './requests.ts';
import { gate, manifestStarts } from './starts.ts';

/** A reading that changes nothing tells nobody; a file that is wrong has been read after this time. */
const readMs = 2_000;
const patienceMs = 90_000;
const only = process.argv[process.argv.indexOf('--only') + 1];
const report = new Report();

async function compareRules(folder: string): Promise<void> {
  const webhooks = await startWebhookServer();
  const folders = new Folders(folder, webhooks);
  const pair = await startPair({ flags: [gate, `--admission-control-config-file=${folders.file}`] });
  const servers = [pair.ours.server, pair.theirs.server] as const;
  const compare = async (part: string, requests: readonly StaticRequest[]): Promise<void> => {
    for (const request of requests) {
      const [ours, theirs] = await Promise.all([send(servers[0], request), send(servers[1], request)]);
      const lines = differencesFromAll([normalForm(theirs, false)], normalForm(ours, false));
      report.note(part, `${request.method} ${request.path} (${theirs.status})`, lines);
    }
  };
  const both = (wanted: (server: Server) => Promise<boolean>): Promise<unknown> =>
    Promise.all(servers.map((server) => until(() => wanted(server))));
  const denies = (key: string) => async (server: Server) =>
    (await send(server, dryRun(createMap(`probe-${key}`, { [key]: 'x' })))).status === 422;
  try {
    await compare('preparation', apiRules());
    await both(async (server) => (await send(server, { method: 'GET', path: widgetsPath })).status === 200);
    await both(async (server) => orderOf(await send(server, dryRun(createMap('probe')))).includes('api '));
    await compare('manifests at the start', requestsAtStart(webhooks.port, webhooks.caBundle));
    folders.write('ValidatingAdmissionPolicy', 'later.yaml', denyKey('first'));
    await both(denies('first'));
    folders.write('ValidatingAdmissionPolicy', 'later.yaml', denyKey('second').replaceAll('.static.k8s.io', ''));
    await sleep(readMs);
    const maps = ['deny', 'first', 'second', 'other'].map((key) => createMap(`map-${key}`, { [key]: 'x' }));
    await compare('a file that is wrong', maps.map(dryRun));
    folders.write('ValidatingAdmissionPolicy', 'later.yaml', denyKey('second'));
    await both(denies('second'));
    await compare('files that are right again', maps.map(dryRun));
  } finally {
    await pair.close();
    webhooks.close();
  }
}

function dryRun(request: StaticRequest): StaticRequest {
  return { ...request, path: `${request.path}?dryRun=All` };
}

/** What the mutating policies wrote, in their order. */
function orderOf({ body }: Exchange): string {
  return stringAt(isObject(body) ? body : undefined, 'data', 'order');
}

function denyKey(key: string): string {
  const name = 'later.static.k8s.io';
  const validations = [{ expression: `!has(object.data) || !("${key}" in object.data)`, message: `${key} is denied` }];
  return `${policy(name, { validations })}\n---\n${binding('Validating', name, name)}`;
}

function send(server: Server, { method, path, body }: StaticRequest): Promise<Exchange> {
  return sendJson(server, method, path, body);
}

async function until(isDone: () => Promise<boolean>): Promise<void> {
  for (const endMs = performance.now() + patienceMs; performance.now() < endMs; await sleep(50))
    if (await isDone()) return;
  throw new Error('a change of the files is not in effect in time');
}

if (only !== 'starts') {
  const folder = mkdtempSync(join(tmpdir(), 'static-admission-'));
  await compareRules(folder).finally(() => rmSync(folder, { recursive: true, force: true }));
}
if (only !== 'rules')
  await compareStarts(
    (what, expected, found) =>
      report.note('starts', what, expected === found ? [] : [`reference ${expected}`, `here ${found}`]),
    manifestStarts,
  );
process.exit(report.finish());
