import type { GroupResource } from '#shared/apimachinery/gvk.ts';
import { getKey } from '#shared/apimachinery/json/json.ts';
import type { AdmissionAttributes, AdmissionChain, AdmissionOperation, AdmissionPlugin } from './contract/admission.ts';
import { pluginTable } from './gen/plugin-table.ts';

/**
 * Factories of plugins by name, called for enabled plugins only. A factory returns undefined if its plugin has nothing
 * to do.
 */
export type PluginRegistry = Readonly<Record<string, () => AdmissionPlugin | undefined>>;

export interface AdmissionFlags {
  readonly enableAdmissionPlugins: readonly string[];
  readonly disableAdmissionPlugins: readonly string[];
}

/** Errors in the two flags: unknown names, names in both flags, and enabled plugins that are not implemented. */
export function validateAdmissionFlags({ enableAdmissionPlugins, disableAdmissionPlugins }: AdmissionFlags): string[] {
  const known = new Set(pluginTable.map((plugin) => plugin.name));
  const unknown = (flag: string, names: readonly string[]): string[] =>
    names.filter((name) => !known.has(name)).map((name) => `${flag} plugin ${JSON.stringify(name)} is unknown`);
  const missing = pluginTable
    .filter(({ name, isBuilt }) => !isBuilt && enableAdmissionPlugins.includes(name))
    .map(
      ({ name }) =>
        `enable-admission-plugins plugin ${JSON.stringify(name)} is not available yet: nothing would be checked by it`,
    );
  const both = enableAdmissionPlugins.filter((name) => disableAdmissionPlugins.includes(name)).sort();
  return [
    ...unknown('enable-admission-plugins', enableAdmissionPlugins),
    ...unknown('disable-admission-plugins', disableAdmissionPlugins),
    ...missing,
    ...(both.length === 0
      ? []
      : [`[${both.join(' ')}] in enable-admission-plugins and disable-admission-plugins overlapped`]),
  ];
}

/** Names of the enabled plugins in the order in which they run. */
export function enabledPlugins({ enableAdmissionPlugins, disableAdmissionPlugins }: AdmissionFlags): string[] {
  return pluginTable
    .filter(
      ({ name, byDefault }) =>
        (byDefault || enableAdmissionPlugins.includes(name)) && !disableAdmissionPlugins.includes(name),
    )
    .map((plugin) => plugin.name);
}

/** The enabled plugins that exist, in the reference's order. Enabled ones that do not exist yet are left out. */
export function createAdmissionChain(flags: AdmissionFlags, registry: PluginRegistry): AdmissionChain {
  return new PluginChain(enabledPlugins(flags).flatMap((name) => getKey(registry, name)?.() ?? []));
}

/** The plugins that handle one operation on one resource, by phase. */
interface Wanted {
  readonly mutating: readonly AdmissionPlugin[];
  readonly validating: readonly AdmissionPlugin[];
}

class PluginChain implements AdmissionChain {
  readonly plugins: readonly AdmissionPlugin[];
  /** Operation → resource → group. */
  readonly #wanted: Readonly<Record<AdmissionOperation, Map<string, Map<string, Wanted>>>> = {
    CREATE: new Map(),
    UPDATE: new Map(),
    DELETE: new Map(),
    CONNECT: new Map(),
  };

  constructor(plugins: readonly AdmissionPlugin[]) {
    this.plugins = plugins;
  }

  handles(operation: AdmissionOperation, resource: GroupResource): boolean {
    const { mutating, validating } = this.#of(operation, resource);
    return mutating.length + validating.length > 0;
  }

  async admit(attributes: AdmissionAttributes): Promise<void> {
    for (const plugin of this.#of(attributes.operation, attributes.resource).mutating) {
      const pending = plugin.admit?.(attributes);
      if (pending) await pending;
    }
  }

  async validate(attributes: AdmissionAttributes): Promise<void> {
    for (const plugin of this.#of(attributes.operation, attributes.resource).validating) {
      const pending = plugin.validate?.(attributes);
      if (pending) await pending;
    }
  }

  #of(operation: AdmissionOperation, { group, resource }: GroupResource): Wanted {
    const byResource = this.#wanted[operation];
    let byGroup = byResource.get(resource);
    if (byGroup === undefined) byResource.set(resource, (byGroup = new Map()));
    let wanted = byGroup.get(group);
    if (wanted === undefined) {
      const plugins = this.plugins.filter((plugin) => plugin.handles(operation, { group, resource }));
      wanted = {
        mutating: plugins.filter((plugin) => plugin.admit !== undefined),
        validating: plugins.filter((plugin) => plugin.validate !== undefined),
      };
      byGroup.set(group, wanted);
    }
    return wanted;
  }
}
