// Plays requests under admission webhooks to this server and to a kube-apiserver that it starts, with webhooks that
// behave and misbehave, and compares the answers, the warnings, and the reviews that the webhooks got.
//   REFERENCE_BIN=FOLDER node --import tsx test/conformance/webhooks/run.ts [--only REGEXP]
import type { JsonObject, JsonValue } from '#shared/apimachinery/json/json.ts';
import { stringAt } from '#shared/apimachinery/object.ts';
import { sendJson, type Server } from '#test/compare/exchange.ts';
import { normalForm } from '#test/compare/normal-form.ts';
import { startPair } from '#test/compare/pair.ts';
import { Report } from '#test/compare/report.ts';
import { ruleFor, type WebhookCase, type WebhookRequest, type WebhookSpec } from './case.ts';
import { cases } from './cases.ts';
import { clientCases } from './client-cases.ts';
import { asSide, isNew, reviewForm } from './comparable.ts';
import { subresourceCases } from './subresource-cases.ts';
import { startWebhookServer, type WebhookServer } from './webhook-server.ts';

const configurations = '/apis/admissionregistration.k8s.io/v1';
const at = process.argv.indexOf('--only');
const only = new RegExp(at < 0 ? '' : (process.argv[at + 1] ?? ''));

/** What is compared of one case. */
interface Played {
  readonly answers: readonly JsonValue[];
  readonly reviews: readonly JsonValue[];
}

class Player {
  readonly #server: Server;
  readonly #side: string;
  readonly #webhooks: WebhookServer;

  constructor(server: Server, side: string, webhooks: WebhookServer) {
    this.#server = asSide(server, side);
    this.#side = side;
    this.#webhooks = webhooks;
  }

  async prepare(): Promise<void> {
    await this.#send('POST', '/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'default' } });
  }

  async play({ webhooks, before = [], requests, sideBySide = false, http2 = false }: WebhookCase): Promise<Played> {
    for (const request of before) await this.#ask(request);
    const made = await Promise.all(['mutating', 'validating'].map((kind) => this.#configure(kind, webhooks, http2)));
    await this.#untilActive();
    this.#webhooks.take(this.#side);
    const answers: JsonValue[] = [];
    for (const request of requests) answers.push(await this.#ask(request));
    const reviews = this.#webhooks
      .take(this.#side)
      // The server renews its own endpoints when it likes.
      .filter(({ review }) => stringAt(review, 'request', 'resource', 'resource') !== 'endpoints')
      .map(({ path, review }) => ({ path, review: reviewForm(review) }))
      .filter(isNew);
    if (sideBySide) reviews.sort((a, b) => (a.path < b.path ? -1 : 1));
    for (const path of made) if (path !== undefined) await this.#send('DELETE', path);
    await this.#untilInactive();
    return { answers, reviews };
  }

  async #configure(kind: string, specs: readonly WebhookSpec[], http2: boolean): Promise<string | undefined> {
    const webhooks = specs
      .filter((spec) => (spec.kind ?? 'validating') === kind)
      .map(({ does, spec }, at) => this.#webhook(`w${at}-${does}.example.com`, does, spec, http2));
    if (kind === 'validating')
      webhooks.push(this.#webhook('probe.example.com', 'deny', { rules: [ruleFor(['endpoints'])] }));
    else webhooks.unshift(this.#webhook('probe.example.com', 'deny', { rules: [ruleFor(['limitranges'])] }));
    const path = `${configurations}/${kind}webhookconfigurations`;
    const { status, body } = await this.#send('POST', path, { metadata: { name: 'compared' }, webhooks });
    if (status !== 201) throw new Error(`${this.#side}: ${JSON.stringify(body)}`);
    return `${path}/compared`;
  }

  #webhook(name: string, does: string, spec: JsonObject = {}, http2 = false): JsonObject {
    const { port: http1Port, http2Port, caBundle } = this.#webhooks;
    const port = http2 ? http2Port : http1Port;
    return {
      name,
      clientConfig: { url: `https://127.0.0.1:${port}/SIDE/${does}`, caBundle },
      rules: [ruleFor(['configmaps'])],
      sideEffects: 'None',
      // A busy machine is not to be taken for a webhook that hangs.
      timeoutSeconds: does === 'hang' ? 1 : 10,
      admissionReviewVersions: ['v1'],
      ...spec,
    };
  }

  /** Until both configurations act, each of which denies objects of a resource that no case uses. */
  async #untilActive(): Promise<void> {
    await this.#untilProbed((status) => status === 400);
  }

  async #untilInactive(): Promise<void> {
    await this.#untilProbed((status) => status === 201);
  }

  async #untilProbed(isDone: (status: number) => boolean): Promise<void> {
    for (const resource of ['endpoints', 'limitranges']) {
      const path = `/api/v1/namespaces/default/${resource}?dryRun=All`;
      const deadline = performance.now() + 10_000;
      for (;;) {
        const { status } = await this.#send('POST', path, { metadata: { name: 'probe' } });
        if (isDone(status)) break;
        if (performance.now() > deadline) throw new Error(`${this.#side}: the webhooks do not follow`);
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    }
  }

  async #ask({ method, path, body, type }: WebhookRequest): Promise<JsonValue> {
    return { request: `${method} ${path}`, ...normalForm(await this.#send(method, path, body, type), false) };
  }

  #send(method: string, path: string, body?: unknown, type?: string): ReturnType<typeof sendJson> {
    return sendJson(this.#server, method, path, body, type === undefined ? {} : { 'content-type': type });
  }
}

const { ours, theirs, close } = await startPair();
const webhooks = await startWebhookServer(
  new Map([
    ['ours', ours.server],
    ['theirs', theirs.server],
  ]),
);
try {
  const report = new Report();
  const players = [new Player(theirs.server, 'theirs', webhooks), new Player(ours.server, 'ours', webhooks)] as const;
  await Promise.all(players.map((player) => player.prepare()));
  for (const one of [...cases, ...clientCases, ...subresourceCases].filter(({ name }) => only.test(name))) {
    const [want, have] = await Promise.all([players[0].play(one), players[1].play(one)]);
    report.equal('answers', one.name, want.answers, have.answers, one.answersExplained !== undefined);
    report.equal('reviews', one.name, want.reviews, have.reviews, one.explained !== undefined);
  }
  process.exitCode = report.finish();
} finally {
  await close();
  webhooks.close();
}
