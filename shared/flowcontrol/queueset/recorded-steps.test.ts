import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { ManualClock } from '#shared/flowcontrol/testing/manual-clock.ts';
import { noObserver } from '#shared/flowcontrol/testing/no-observer.ts';
import { formatSeatSeconds } from '#shared/flowcontrol/work/seat-seconds.ts';
import type { WorkEstimate } from '#shared/flowcontrol/work/work-estimate.ts';
import type { RequestInfo } from '#shared/request/request-info.ts';
import { apiServerUser } from '#shared/request/user.ts';
import type { FairRequest } from './fair-request.ts';
import { QueueSet } from './queue-set.ts';

interface Config {
  readonly queues: number;
  readonly queueLengthLimit: number;
  readonly handSize: number;
  readonly limit: number;
}

interface Step {
  readonly atNs: number;
  readonly arrive?: WorkEstimate & { readonly flow: string };
  readonly finish?: number;
  readonly cancel?: number;
  readonly config?: Config;
  readonly began: readonly number[];
  readonly refused?: boolean;
  readonly totals: readonly number[];
  readonly queues: readonly (readonly [index: number, nextDispatchR: string, seatsInUse: number])[];
}

interface Scenario {
  readonly name: string;
  readonly config: Config;
  readonly steps: readonly Step[];
}

const user = apiServerUser;
const info = { name: 'unused' } as RequestInfo;

const scenarios = JSON.parse(
  readFileSync(new URL('./testdata/steps.json', import.meta.url), 'utf8'),
) as readonly Scenario[];

/** Does the steps of a scenario, and says of each what the recording says. */
class Replay {
  readonly #clock = new ManualClock();
  readonly #set: QueueSet;
  readonly #requests: (FairRequest | undefined)[] = [];
  #began: number[] = [];

  constructor({ config }: Scenario) {
    this.#set = new QueueSet('level', { clock: this.#clock, observer: noObserver }, config);
    this.#set.configure(config, config.limit);
  }

  step({ atNs, arrive, finish, cancel, config }: Step): Pick<Step, 'began' | 'refused' | 'totals' | 'queues'> {
    this.#began = [];
    this.#clock.moveTo(atNs);
    const refused = arrive !== undefined && !this.#arrive(arrive);
    if (finish !== undefined) this.#set.finish(this.#requests[finish] as FairRequest);
    if (cancel !== undefined) this.#set.cancel(this.#requests[cancel] as FairRequest, 'cancelled');
    if (config !== undefined) this.#set.configure(config, config.limit);
    const { requestsWaiting, requestsExecuting, seatsInUse, seatsWaiting } = this.#set.totals;
    return {
      began: this.#began,
      ...(refused && { refused }),
      totals: [requestsWaiting, requestsExecuting, seatsInUse, seatsWaiting],
      queues: this.#set.queues
        .filter((queue) => queue.isActive || queue.seatsInUse > 0)
        .map(({ index, nextDispatchR, seatsInUse: seats }) => [index, formatSeatSeconds(nextDispatchR), seats]),
    };
  }

  #arrive({ flow, ...estimate }: WorkEstimate & { readonly flow: string }): boolean {
    const id = this.#requests.length;
    const began = (): unknown => this.#began.push(id);
    const arrival = {
      flowSchema: 'schema',
      flowDistinguisher: '',
      hash: BigInt(flow),
      estimate,
      user,
      info,
      onExecute: began,
    };
    const request = this.#set.start(arrival);
    this.#requests.push(request);
    if (request?.state === 'executing') began();
    return request !== undefined;
  }
}

describe('QueueSet', () => {
  for (const scenario of scenarios) {
    test(`dispatches, rejects and counts as recorded: ${scenario.name}`, () => {
      const replay = new Replay(scenario);
      for (const [number, step] of scenario.steps.entries()) {
        const { began, totals, queues, refused } = step;
        assert.deepEqual(
          { number, ...replay.step(step) },
          { number, began, ...(refused === true && { refused }), totals, queues },
        );
      }
    });
  }
});
