import type { GroupResource } from '#shared/apimachinery/gvk.ts';
import { getKey } from '#shared/apimachinery/json/json.ts';
import { enabledPlugins, type AdmissionFlags } from './admission-flags.ts';
import { timedPlugin, timedStep, type AdmissionStepType } from './admission-metrics.ts';
import type {
  AdmissionAttributes,
  AdmissionChain,
  AdmissionOperation,
  AdmissionPlugin,
  AdmissionRounds,
} from './contract/admission.ts';
import { recordAdmit, recordValidate } from './recorded-steps.ts';

/**
 * Factories of plugins by name, called for enabled plugins only. A factory returns undefined if its plugin has nothing
 * to do.
 */
export type PluginRegistry = Readonly<Record<string, () => AdmissionPlugin | undefined>>;

/** The enabled plugins that exist, in the reference's order. Enabled ones that do not exist yet are left out. */
export function createAdmissionChain(flags: AdmissionFlags, registry: PluginRegistry): AdmissionChain {
  return new PluginChain(enabledPlugins(flags).flatMap((name) => getKey(registry, name)?.() ?? []));
}

/** A plugin in one phase of one operation, with the metric of its durations. */
interface Step {
  readonly plugin: AdmissionPlugin;
  readonly timed: ReturnType<typeof timedPlugin>;
}

/** The plugins that handle one operation on one resource, by phase. */
interface Wanted {
  readonly mutating: readonly Step[];
  readonly validating: readonly Step[];
}

function stepsOf(
  plugins: readonly AdmissionPlugin[],
  phase: AdmissionStepType,
  operation: AdmissionOperation,
): readonly Step[] {
  return plugins
    .filter((plugin) => plugin[phase] !== undefined)
    .map((plugin) => ({ plugin, timed: timedPlugin(plugin.name, phase, operation) }));
}

/** Clients make up groups and resources (definitions), so the memo is forgotten when it holds this many pairs. */
const maxRemembered = 10_000;

class PluginChain implements AdmissionChain {
  readonly plugins: readonly AdmissionPlugin[];
  /** Operation → resource → group. */
  readonly #wanted: Readonly<Record<AdmissionOperation, Map<string, Map<string, Wanted>>>> = {
    CREATE: new Map(),
    UPDATE: new Map(),
    DELETE: new Map(),
    CONNECT: new Map(),
  };
  #remembered = 0;

  constructor(plugins: readonly AdmissionPlugin[]) {
    this.plugins = plugins;
    for (const plugin of plugins) plugin.onHandlesChanged?.(() => this.#forget());
  }

  handles(operation: AdmissionOperation, resource: GroupResource): boolean {
    const { mutating, validating } = this.#of(operation, resource);
    return mutating.length + validating.length > 0;
  }

  async admit(attributes: AdmissionAttributes): Promise<void> {
    const { mutating } = this.#of(attributes.operation, attributes.resource);
    if (mutating.length > 0) await timeStep('admit', attributes.operation, runRounds(mutating, attributes));
  }

  async validate(attributes: AdmissionAttributes): Promise<void> {
    const { validating } = this.#of(attributes.operation, attributes.resource);
    if (validating.length > 0) await timeStep('validate', attributes.operation, runValidation(validating, attributes));
  }

  #of(operation: AdmissionOperation, { group, resource }: GroupResource): Wanted {
    const wanted = this.#wanted[operation].get(resource)?.get(group);
    return wanted ?? this.#ask(operation, { group, resource });
  }

  #ask(operation: AdmissionOperation, { group, resource }: GroupResource): Wanted {
    const plugins = this.plugins.filter((plugin) => plugin.handles(operation, { group, resource }));
    const wanted: Wanted = {
      mutating: stepsOf(plugins, 'admit', operation),
      validating: stepsOf(plugins, 'validate', operation),
    };
    if (this.#remembered >= maxRemembered) this.#forget();
    const byResource = this.#wanted[operation];
    const byGroup = byResource.get(resource);
    if (byGroup === undefined) byResource.set(resource, new Map([[group, wanted]]));
    else byGroup.set(group, wanted);
    this.#remembered++;
    return wanted;
  }

  #forget(): void {
    for (const byResource of Object.values(this.#wanted)) byResource.clear();
    this.#remembered = 0;
  }
}

class Rounds implements AdmissionRounds {
  isSecond = false;
  isSecondWanted = false;
  #kept: Map<string, unknown> | undefined;

  get kept(): Map<string, unknown> {
    return (this.#kept ??= new Map<string, unknown>());
  }

  requestSecond(): void {
    this.isSecondWanted = true;
  }
}

async function timeStep(type: AdmissionStepType, operation: AdmissionOperation, running: Promise<void>): Promise<void> {
  const startedMs = performance.now();
  let isRejected = true;
  try {
    await running;
    isRejected = false;
  } finally {
    timedStep(type, operation).observe(startedMs, performance.now(), isRejected);
  }
}

async function runRounds(mutating: readonly Step[], attributes: AdmissionAttributes): Promise<void> {
  const rounds = new Rounds();
  await runRound(mutating, attributes, rounds);
  if (!rounds.isSecondWanted) return;
  rounds.isSecond = true;
  await runRound(mutating, attributes, rounds);
}

async function runValidation(validating: readonly Step[], attributes: AdmissionAttributes): Promise<void> {
  const { recorder } = attributes;
  await timePlugins(validating, (plugin) =>
    recorder === undefined ? plugin.validate?.(attributes) : recordValidate(plugin, attributes, recorder),
  );
}

/** Runs plugins one after the other. One clock reading ends a plugin and begins the next. */
async function timePlugins(
  steps: readonly Step[],
  run: (plugin: AdmissionPlugin) => void | Promise<void>,
): Promise<void> {
  let fromMs = performance.now();
  for (const { plugin, timed } of steps) {
    let isRejected = true;
    try {
      const pending = run(plugin);
      if (pending) await pending;
      isRejected = false;
    } finally {
      const toMs = performance.now();
      timed.observe(fromMs, toMs, isRejected);
      fromMs = toMs;
    }
  }
}

async function runRound(
  steps: readonly Step[],
  attributes: AdmissionAttributes,
  rounds: AdmissionRounds,
): Promise<void> {
  const { recorder } = attributes;
  await timePlugins(steps, (plugin) =>
    recorder === undefined ? plugin.admit?.(attributes, rounds) : recordAdmit(plugin, attributes, rounds, recorder),
  );
}
