import type { NodePorts } from '#servers/core/allocation/node-ports.ts';
import type { CoreContext } from '#servers/core/context/core-context.ts';
import { numberAt, objectsAt, stringAt, type KubeObject } from '#shared/apimachinery/object.ts';
import { Counter } from '#shared/observability/metrics/counter.ts';
import type { Family } from '#shared/observability/metrics/family.ts';
import { eachEntry } from './each-entry.ts';
import type { EventRecorder } from './event-recorder.ts';

/**
 * A port that no Service holds is kept for this many rounds: its Service may not be written yet.
 */
const roundsBeforeCleanUp = 3;

type Finding = 'repair' | 'duplicate' | 'outOfRange' | 'leak';

/**
 * Keeps the bitmap of node ports consistent with the Services
 * (pkg/registry/core/service/portallocator/controller/repair.go): sets missing ports and releases leaked ones. Several
 * servers may run it at once.
 */
export class NodePortRepair {
  readonly #core: CoreContext;
  readonly #nodePorts: NodePorts;
  readonly #recorder: Pick<EventRecorder, 'warn'>;
  readonly #found = new Counter(
    'apiserver_nodeport_repair_port_errors_total',
    'Findings of the repair of node ports, by their kind.',
    ['type'],
  );
  readonly #failed = new Counter(
    'apiserver_nodeport_repair_reconcile_errors_total',
    '[ALPHA] Rounds of the repair of node ports that failed.',
    [],
  );
  /** The remaining rounds for each port that no Service holds. */
  #leaks = new Map<number, number>();

  constructor(core: CoreContext, nodePorts: NodePorts, recorder: Pick<EventRecorder, 'warn'>) {
    this.#core = core;
    this.#nodePorts = nodePorts;
    this.#recorder = recorder;
  }

  get metrics(): readonly Family[] {
    return [this.#found, this.#failed];
  }

  /** Runs one round. Never asks for an earlier next round, because leaks are counted in rounds. */
  async round(): Promise<undefined> {
    let plan: Plan | undefined;
    try {
      // The Services are read after the bitmap, so a Service that is written meanwhile has its port in the bitmap.
      await this.#nodePorts.rebuild(
        async (held) => (plan = makePlan(held, await this.#services(), this.#leaks, this.#nodePorts)).ports,
      );
    } catch (error) {
      this.#failed.add();
      throw error;
    }
    if (plan === undefined) return undefined;
    this.#leaks = plan.leaks;
    for (const { type, port, service } of plan.findings) {
      this.#found.add(type);
      if (service !== undefined) await this.#warn(service, type, port);
    }
    return undefined;
  }

  async #services(): Promise<KubeObject[]> {
    const store = this.#core.store('', 'services');
    await store.cache.waitForCurrent();
    const found: KubeObject[] = [];
    await eachEntry(store.cache.snapshot().entries('/'), (entry) => {
      // Services without a node port are not parsed, since there may be very many.
      if (entry.json.includes('odePort"')) found.push(store.parse(entry));
    });
    return found;
  }

  /** Writes an Event; a failure does not stop the repair. */
  async #warn(service: KubeObject, type: Finding, port: number): Promise<void> {
    const known = warnings[type];
    if (known !== undefined)
      await this.#recorder
        .warn(service, { reason: known.reason, action: 'PortAllocation', note: `Port ${port} ${known.note}` })
        .catch(() => undefined);
  }
}

const warnings: Readonly<Record<Finding, { readonly reason: string; readonly note: string } | undefined>> = {
  repair: { reason: 'PortNotAllocated', note: 'is not allocated; repairing' },
  duplicate: { reason: 'PortAlreadyAllocated', note: 'was assigned to multiple services; please recreate service' },
  outOfRange: { reason: 'PortOutOfRange', note: 'is not within the port range; please recreate service' },
  leak: undefined,
};

interface Plan {
  readonly ports: ReadonlySet<number>;
  readonly leaks: Map<number, number>;
  readonly findings: readonly { readonly type: Finding; readonly port: number; readonly service?: KubeObject }[];
}

function makePlan(
  held: ReadonlySet<number>,
  services: readonly KubeObject[],
  leaksBefore: ReadonlyMap<number, number>,
  range: Pick<NodePorts, 'contains'>,
): Plan {
  const ports = new Set<number>();
  const findings: Plan['findings'][number][] = [];
  for (const service of services) {
    for (const port of wantedPorts(service)) {
      if (!range.contains(port)) findings.push({ type: 'outOfRange', port, service });
      else if (ports.has(port)) findings.push({ type: 'duplicate', port, service });
      else if (!held.has(port)) findings.push({ type: 'repair', port, service });
      if (range.contains(port)) ports.add(port);
    }
  }
  const leaks = new Map<number, number>();
  for (const port of held) {
    if (ports.has(port)) continue;
    const left = leaksBefore.get(port) ?? roundsBeforeCleanUp - 1;
    if (left === 0) findings.push({ type: 'leak', port });
    else {
      leaks.set(port, left - 1);
      ports.add(port);
    }
  }
  return { ports, leaks, findings };
}

/** The node ports of a Service, once for each number; a number that one protocol has twice is listed twice. */
function wantedPorts(service: KubeObject): number[] {
  const wanted: number[] = [];
  const seen = new Map<number, Set<string>>();
  for (const port of objectsAt(service, 'spec', 'ports')) {
    const number = numberAt(port, 'nodePort') || 0;
    if (number === 0) continue;
    const protocols = seen.get(number);
    const protocol = stringAt(port, 'protocol');
    if (protocols === undefined || protocols.has(protocol)) wanted.push(number);
    seen.set(number, (protocols ?? new Set()).add(protocol));
  }
  const check = numberAt(service, 'spec', 'healthCheckNodePort') || 0;
  if (check !== 0 && seen.get(check)?.has('TCP') !== false) wanted.push(check);
  return wanted;
}
