import { TupleMap } from '#shared/apimachinery/tuple-map.ts';
import { processRegistry } from '#shared/observability/metrics/process-registry.ts';
import { Summary } from '#shared/observability/metrics/summary.ts';
import type { AdmissionOperation } from './contract/admission.ts';

/** The label `type`. */
export type AdmissionStepType = 'admit' | 'validate';

const buckets = [0.005, 0.025, 0.1, 0.5, 1, 2.5];
const plugins = processRegistry.histogram(
  'apiserver_admission_controller_admission_duration_seconds',
  '[STABLE] Admission controller latency histogram in seconds, identified by name and broken out for each operation and API resource and type (validate or admit).',
  ['name', 'type', 'operation', 'rejected'],
  buckets,
);
const steps = processRegistry.histogram(
  'apiserver_admission_step_admission_duration_seconds',
  '[STABLE] Admission sub-step latency histogram in seconds, broken out for each operation and API resource and step type (validate or admit).',
  ['type', 'operation', 'rejected'],
  buckets,
);

const stepSummary = processRegistry.add(
  new Summary(
    'apiserver_admission_step_admission_duration_seconds_summary',
    '[ALPHA] Admission sub-step latency summary in seconds, broken out for each operation and API resource and step type (validate or admit).',
    ['type', 'operation', 'rejected'],
    5 * 60 * 60 * 1000,
  ),
);

interface Observer {
  observe(seconds: number): void;
}

/** What one plugin, or a whole step of the chain, took for one operation (apiserver/pkg/admission/metrics). */
class Timed {
  readonly #accepted: () => Observer;
  readonly #rejected: () => Observer;
  #seen: Observer | undefined;

  constructor(of: (rejected: string) => Observer) {
    this.#accepted = () => of('false');
    this.#rejected = () => of('true');
  }

  observe(fromMs: number, toMs: number, isRejected: boolean): void {
    const seen = isRejected ? this.#rejected() : (this.#seen ??= this.#accepted());
    seen.observe((toMs - fromMs) / 1000);
  }
}

const timedPlugins = new TupleMap<Timed>(3);
const timedSteps = new TupleMap<Timed>(2);

export function timedPlugin(name: string, type: AdmissionStepType, operation: AdmissionOperation): Timed {
  const key = [name, type, operation];
  let timed = timedPlugins.get(key);
  if (timed === undefined)
    timedPlugins.set(key, (timed = new Timed((rejected) => plugins.of(name, type, operation, rejected))));
  return timed;
}

export function timedStep(type: AdmissionStepType, operation: AdmissionOperation): Timed {
  const key = [type, operation];
  let timed = timedSteps.get(key);
  if (timed === undefined)
    timedSteps.set(key, (timed = new Timed((rejected) => stepObserver(type, operation, rejected))));
  return timed;
}

/** Observes in both families of steps. */
function stepObserver(...labels: [type: string, operation: string, rejected: string]): Observer {
  const [histogram, summary] = [steps.of(...labels), stepSummary.of(...labels)];
  return {
    observe(seconds) {
      histogram.observe(seconds);
      summary.observe(seconds);
    },
  };
}
