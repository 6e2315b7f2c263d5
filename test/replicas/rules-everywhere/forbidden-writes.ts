import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiClient } from '#test/api-client.ts';
import type { Setup } from '#test/robustness/setups/setup.ts';
import { must } from './api.ts';
import { ruleLabel } from './rules.ts';
import { writeAtSocket, type Outcome, type Write } from './server-socket.ts';
import { writeKinds, type WriteKind } from './write-kinds.ts';

/** Leaves processor time to the servers. */
const pauseMs = 4;
const touched = 'touched';
const methods = ['POST', 'PATCH', 'DELETE'] as const;

/** What a rule demands: that no object with its label is written, or that each new one gets the label `marked`. */
export type Demand = 'no write' | 'mark';

export interface RuleInForce {
  readonly name: string;
  readonly demand: Demand;
}

type Send = (write: Write) => Promise<Outcome>;

/** Clients that write, without end, what the rules in force forbid, and objects that no rule is about. */
export class ForbiddenWrites {
  readonly violations: string[] = [];
  /** Numbers of answers by what the rule demands and the code; 0: none came. */
  readonly counts = new Map<string, number>();
  readonly #rules: RuleInForce[] = [];
  /** Paths of objects that were there before the rule which forbids to change them, by the kind and the rule. */
  readonly #victims = new Map<string, string>();
  readonly #lost = new Set<string>();
  readonly #running: Promise<void>[] = [];
  #over = false;

  /** Makes the objects that a rule to come will protect. */
  async makeVictims(client: ApiClient, rule: string): Promise<void> {
    for (const kind of writeKinds) {
      const body = kind.build({ [ruleLabel]: rule });
      await must(client, 'POST', kind.path, { body });
      const { name } = body['metadata'] as { name: string };
      this.#victims.set(`${kind.name} ${rule}`, `${kind.path}/${name}`);
    }
  }

  /** From now on every write that the rule forbids counts. */
  enforce(rule: RuleInForce): void {
    this.#rules.push(rule);
  }

  start(setup: Setup, clients: readonly ApiClient[]): void {
    for (const [index, client] of clients.entries()) {
      const send: Send = ({ method, path, type, body }) =>
        client.send(method, path, { body, headers: { 'content-type': type } });
      for (const kind of writeKinds) this.#running.push(this.#writeOn(`gateway-${index + 1}`, [kind], send));
    }
    for (const { name, server, path } of setup.sockets) {
      const kinds = writeKinds.filter((kind) => kind.server === server);
      this.#running.push(this.#writeOn(`socket of ${name}`, kinds, (write) => writeAtSocket(path, write)));
    }
  }

  async stop(): Promise<void> {
    this.#over = true;
    await Promise.all(this.#running);
  }

  /** Writes without an answer may have been admitted, too: nothing of them may be stored. */
  async checkStored(client: ApiClient): Promise<void> {
    for (const kind of writeKinds) {
      for (const { name, demand } of this.#rules) {
        const { json } = await must(client, 'GET', `${kind.path}?labelSelector=${ruleLabel}%3D${name}`);
        const { items } = json as { items: { metadata: { name: string; labels: object; annotations?: object } }[] };
        const victim = this.#victims.get(`${kind.name} ${name}`);
        const isRight = ({ metadata }: (typeof items)[number]): boolean =>
          demand === 'mark'
            ? 'marked' in metadata.labels
            : `${kind.path}/${metadata.name}` === victim && !(touched in (metadata.annotations ?? {}));
        for (const item of items.filter((found) => !isRight(found)))
          this.violations.push(`${kind.name} ${item.metadata.name} is stored against ${name}`);
        if (victim !== undefined && items.length === 0) this.violations.push(`${victim} is gone, against ${name}`);
      }
    }
  }

  async #writeOn(place: string, kinds: readonly WriteKind[], send: Send): Promise<void> {
    for (let turn = 0; !this.#over; turn++) {
      // The turn after those of all rules is of no rule.
      const turns = this.#rules.length + 1;
      const rule = this.#rules[turn % turns];
      const method = methods[Math.floor(turn / turns) % methods.length] ?? 'POST';
      for (const kind of kinds) await this.#write(place, this.#choose(kind, rule, method), rule, send);
      await sleep(pauseMs);
    }
  }

  async #write(place: string, write: Write, rule: RuleInForce | undefined, send: Send): Promise<void> {
    const outcome = await send(write).catch((): Outcome => ({ status: 0, text: '' }));
    const count = `${rule?.demand ?? 'no rule'}: ${write.method} ${outcome.status}`;
    this.counts.set(count, (this.counts.get(count) ?? 0) + 1);
    if (rule !== undefined && isAdmittedAgainst(rule, outcome))
      this.#violated(`${place} admitted ${write.method} ${write.path} against ${rule.name}: ${outcome.text}`);
    // A write without an answer was admitted.
    if (rule !== undefined && write.method !== 'POST' && outcome.status === 404 && !this.#lost.has(write.path)) {
      this.#lost.add(write.path);
      this.#violated(`${place} does not find ${write.path}, against ${rule.name}: ${outcome.text}`);
    }
  }

  #violated(text: string): void {
    this.violations.push(`${new Date().toISOString()}: ${text}`);
  }

  /** A creation where there is no object to change. */
  #choose(kind: WriteKind, rule: RuleInForce | undefined, wanted: Write['method']): Write {
    const victim = rule && this.#victims.get(`${kind.name} ${rule.name}`);
    const method = victim === undefined ? 'POST' : wanted;
    switch (method) {
      case 'PATCH':
        return {
          method,
          path: victim ?? '',
          type: 'application/merge-patch+json',
          body: { metadata: { annotations: { [touched]: 'yes' } } },
        };
      case 'DELETE':
        return { method, path: victim ?? '', type: 'application/json', body: {} };
      default: {
        const body = kind.build(rule === undefined ? {} : { [ruleLabel]: rule.name });
        return { method: 'POST', path: kind.path, type: 'application/json', body };
      }
    }
  }
}

function isAdmittedAgainst({ demand }: RuleInForce, { status, text }: Outcome): boolean {
  if (status === 0 || status >= 300) return false;
  return demand === 'no write' || !text.includes('"marked":"yes"');
}
