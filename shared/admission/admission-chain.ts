import type { AdmissionAttributes, AdmissionChain, AdmissionOperation, AdmissionPlugin } from './admission.ts';
import { pluginTable } from './plugin-table.ts';

/** Plugins by name; each is made only when it is enabled. */
export type PluginRegistry = Readonly<Record<string, () => AdmissionPlugin>>;

export interface AdmissionFlags {
  readonly enableAdmissionPlugins: readonly string[];
  readonly disableAdmissionPlugins: readonly string[];
}

/** What is wrong with the two flags; unknown names and names in both. */
export function validateAdmissionFlags({ enableAdmissionPlugins, disableAdmissionPlugins }: AdmissionFlags): string[] {
  const known = new Set(pluginTable.map((plugin) => plugin.name));
  const unknown = (flag: string, names: readonly string[]): string[] => names.filter((name) => !known.has(name)).map((name) => `${flag} plugin ${JSON.stringify(name)} is unknown`);
  const both = enableAdmissionPlugins.filter((name) => disableAdmissionPlugins.includes(name)).sort();
  return [
    ...unknown('enable-admission-plugins', enableAdmissionPlugins),
    ...unknown('disable-admission-plugins', disableAdmissionPlugins),
    ...(both.length === 0 ? [] : [`[${both.join(' ')}] in enable-admission-plugins and disable-admission-plugins overlapped`]),
  ];
}

/** Names of the enabled plugins in the order in which they run. */
export function enabledPlugins({ enableAdmissionPlugins, disableAdmissionPlugins }: AdmissionFlags): string[] {
  return pluginTable
    .filter(({ name, byDefault }) => (byDefault || enableAdmissionPlugins.includes(name)) && !disableAdmissionPlugins.includes(name))
    .map((plugin) => plugin.name);
}

/** The enabled plugins that exist, in the reference's order. Enabled ones that do not exist yet are left out. */
export function createAdmissionChain(flags: AdmissionFlags, registry: PluginRegistry): AdmissionChain {
  return new PluginChain(enabledPlugins(flags).flatMap((name) => registry[name]?.() ?? []));
}

class PluginChain implements AdmissionChain {
  readonly plugins: readonly AdmissionPlugin[];

  constructor(plugins: readonly AdmissionPlugin[]) {
    this.plugins = plugins;
  }

  handles(operation: AdmissionOperation): boolean {
    return this.plugins.some((plugin) => plugin.handles(operation));
  }

  async admit(attributes: AdmissionAttributes): Promise<void> {
    for (const plugin of this.plugins) {
      if (!plugin.admit || !plugin.handles(attributes.operation)) continue;
      const pending = plugin.admit(attributes);
      if (pending) await pending;
    }
  }

  async validate(attributes: AdmissionAttributes): Promise<void> {
    for (const plugin of this.plugins) {
      if (!plugin.validate || !plugin.handles(attributes.operation)) continue;
      const pending = plugin.validate(attributes);
      if (pending) await pending;
    }
  }
}
