// Makes policies with bindings on this server and the reference, sends requests that they judge to both, and compares
// every answer:
//   REFERENCE_BIN=FOLDER node --import tsx test/conformance/admission-policies/run.ts [TEXT-IN-THE-NAME-OF-A-CASE…]
// All policies are in effect at once; each looks only at objects with the label of its case.
// Needs the bundles of dist (or QUARTERDECK_DIST).
import { setTimeout as sleep } from 'node:timers/promises';
import type { JsonObject, JsonValue } from '#shared/apimachinery/json/json.ts';
import { differencesFromAll } from '#test/compare/differences.ts';
import { sendJson, type Exchange, type Server } from '#test/compare/exchange.ts';
import { normalForm } from '#test/compare/normal-form.ts';
import { startPair, type Pair } from '#test/compare/pair.ts';
import { Report } from '#test/compare/report.ts';
import { markersFor } from './markers.ts';
import { mutatingCases } from './mutating-cases.ts';
import { paramCases, paramObjects, paramPaths, paramPreparation } from './param-cases.ts';
import { named, type CaseRequest, type PolicyCase } from './policy-case.ts';
import { requestCases, selectorCases } from './request-cases.ts';
import { validatingCases } from './validating-cases.ts';

/** The reference looks for kinds that it does not know in discovery that it reads twice a minute. */
const patienceMs = 90_000;
const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'policies', labels: { team: 'a' } } };
const chosen = process.argv.slice(2);
const isChosen = ({ name }: PolicyCase): boolean => chosen.length === 0 || chosen.some((part) => name.includes(part));
const allCases = [...validatingCases, ...mutatingCases, ...paramCases, ...requestCases].filter(isChosen);
/** A release in which selectors can be turned off; expressions with them do not compile then. */
const withoutSelectors = [
  '--emulated-version=1.33',
  '--feature-gates=AuthorizeWithSelectors=false,AuthorizeNodeWithSelectors=false',
];

interface Play {
  readonly part: string;
  readonly request: CaseRequest;
}

/** The requests that put the policies of a case into effect. */
function preparation({ before = [], kind, policies, bindings = [] }: PolicyCase, name: string): CaseRequest[] {
  const group = '/apis/admissionregistration.k8s.io/v1/';
  const resource = `${kind.toLowerCase()}admissionpolic`;
  return [
    ...before,
    ...policies.flatMap((spec, at): CaseRequest[] => {
      const policyName = `${name}-p${at}`;
      return [
        object(`${group}${resource}ies`, `${kind}AdmissionPolicy`, policyName, { ...constraints(kind), ...spec }),
        ...(bindings[at] ?? [{}]).map((binding, index) =>
          object(`${group}${resource}ybindings`, `${kind}AdmissionPolicyBinding`, `${policyName}-b${index}`, {
            policyName,
            ...(kind === 'Validating' ? { validationActions: ['Deny'] } : {}),
            ...binding.spec,
          }),
        ),
      ];
    }),
  ];
}

function object(path: string, kind: string, name: string, spec: JsonObject): CaseRequest {
  const body = { apiVersion: 'admissionregistration.k8s.io/v1', kind, metadata: { name }, spec };
  return { method: 'POST', path, body };
}

function constraints(kind: PolicyCase['kind']): JsonObject {
  const operations = kind === 'Validating' ? ['*'] : ['CREATE', 'UPDATE'];
  return {
    matchConstraints: {
      resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations, resources: ['configmaps'] }],
      objectSelector: { matchLabels: { case: '@' } },
    },
  };
}

function send(server: Server, { method, path, body, headers }: CaseRequest): Promise<Exchange> {
  return sendJson(server, method, path, body, headers);
}

const report = new Report();

async function servesParams(server: Server): Promise<boolean> {
  const answers = await Promise.all(paramPaths.map((path) => sendJson(server, 'GET', path)));
  return answers.every(({ status }) => status === 200);
}

class Player {
  readonly #pair: Pair;
  readonly #note: string;

  constructor(pair: Pair, note: string) {
    this.#pair = pair;
    this.#note = note;
  }

  async prepareParams(): Promise<void> {
    for (const request of paramPreparation) await this.#prepare({ part: 'preparation', request });
    await this.#until((server) => servesParams(server));
    for (const request of paramObjects) await this.#prepare({ part: 'preparation', request });
  }

  async play(cases: readonly PolicyCase[]): Promise<void> {
    const plays: Play[] = [];
    for (const [index, one] of cases.entries()) {
      const name = `c${index}`;
      const part = one.name + this.#note;
      const fill = (request: CaseRequest): Play => ({
        part,
        request: named(request as unknown as JsonValue & CaseRequest, name),
      });
      for (const request of preparation(one, name)) await this.#prepare(fill(request), one.isRefused);
      plays.push(...one.requests.map(fill));
    }
    const markers = markersFor({
      params: cases.some((one) => paramCases.includes(one)),
      mutating: cases.some(({ kind }) => kind === 'Mutating'),
    });
    for (const request of markers.flatMap(({ requests }) => requests))
      await this.#prepare({ part: `preparation${this.#note}`, request });
    for (const { probe, acts } of markers) await this.#until(async (server) => acts(await send(server, probe)));
    for (const play of plays) await this.#compare(play);
  }

  async open(): Promise<void> {
    for (const { server } of [this.#pair.ours, this.#pair.theirs]) {
      await sendJson(server, 'POST', '/api/v1/namespaces', namespace);
      const account = { metadata: { name: 'default' } };
      await sendJson(server, 'POST', '/api/v1/namespaces/policies/serviceaccounts', account);
    }
  }

  /** Nobody tells when policies, and the parameters that they name, are in effect: it is asked until it is so. */
  async #until(isDone: (server: Server) => Promise<boolean>): Promise<void> {
    const until = async ({ server }: { readonly server: Server }): Promise<void> => {
      for (const endMs = performance.now() + patienceMs; performance.now() < endMs; await sleep(100))
        if (await isDone(server)) return;
      throw new Error('what the cases need is not in effect in time');
    };
    await Promise.all([until(this.#pair.ours), until(this.#pair.theirs)]);
  }

  /** Counts a policy that both refuse as a mistake of its case, which would compare little else. */
  async #prepare(play: Play, isRefused = false): Promise<void> {
    const { status, body } = await this.#compare(play);
    if (status !== 201 && !isRefused) report.note(play.part, 'is refused by both', [JSON.stringify(body)]);
  }

  /** Returns the answer of the reference. */
  async #compare({ part, request }: Play): Promise<Exchange> {
    const [ours, theirs] = await Promise.all([
      send(this.#pair.ours.server, request),
      send(this.#pair.theirs.server, request),
    ]);
    const lines = differencesFromAll([normalForm(theirs, false)], normalForm(ours, false));
    report.note(part, `${request.method} ${request.path} (${theirs.status})`, lines);
    return theirs;
  }
}

/** Plays cases to a fresh pair of servers. */
async function playCases(cases: readonly PolicyCase[], note = '', flags: readonly string[] = []): Promise<void> {
  if (cases.length === 0) return;
  const pair = await startPair({ flags });
  const player = new Player(pair, note);
  await player.open();
  if (cases.some((one) => paramCases.includes(one))) await player.prepareParams();
  await player.play(cases);
  await pair.close();
}

await playCases(allCases);
const refusedCases = selectorCases.filter(isChosen).map((one): PolicyCase => ({ ...one, isRefused: true }));
await playCases(refusedCases, ', without selectors', withoutSelectors);
process.exit(report.finish());
