import { goQuote } from '#shared/apimachinery/text/go-format.ts';
import { pluginTable } from './gen/plugin-table.ts';

export interface AdmissionFlags {
  readonly enableAdmissionPlugins: readonly string[];
  readonly disableAdmissionPlugins: readonly string[];
  /** The deprecated `--admission-control`: exactly the plugins that are enabled; null where it is not given. */
  readonly admissionControl: readonly string[] | null;
  /** Path of the file with the plugins' configurations; empty: none. */
  readonly admissionControlConfigFile: string;
}

/**
 * Errors in the flags with names: unknown names, names in flags that exclude each other, and enabled plugins that are
 * not implemented.
 */
export function validateAdmissionFlags(flags: AdmissionFlags): string[] {
  const { enableAdmissionPlugins, disableAdmissionPlugins, admissionControl } = flags;
  const known = new Set(pluginTable.map((plugin) => plugin.name));
  const unknown = (flag: string, names: readonly string[]): string[] =>
    names.filter((name) => !known.has(name)).map((name) => `${flag} plugin ${goQuote(name)} is unknown`);
  const missing = (flag: string, names: readonly string[]): string[] =>
    pluginTable
      .filter(({ name, isBuilt }) => !isBuilt && names.includes(name))
      .map(({ name }) => `${flag} plugin ${goQuote(name)} is not available yet: nothing would be checked by it`);
  const both = enableAdmissionPlugins.filter((name) => disableAdmissionPlugins.includes(name)).sort();
  const isMixed = admissionControl !== null && enableAdmissionPlugins.length + disableAdmissionPlugins.length > 0;
  return [
    ...(isMixed
      ? ['admission-control and enable-admission-plugins/disable-admission-plugins flags are mutually exclusive']
      : []),
    ...unknown('admission-control', admissionControl ?? []),
    ...missing('admission-control', admissionControl ?? []),
    ...unknown('enable-admission-plugins', enableAdmissionPlugins),
    ...unknown('disable-admission-plugins', disableAdmissionPlugins),
    ...missing('enable-admission-plugins', enableAdmissionPlugins),
    ...(both.length === 0
      ? []
      : [`[${both.join(' ')}] in enable-admission-plugins and disable-admission-plugins overlapped`]),
  ];
}

/** Names of the enabled plugins in the order in which they run, whatever the order in a flag is. */
export function enabledPlugins(flags: AdmissionFlags): string[] {
  const { enableAdmissionPlugins, disableAdmissionPlugins, admissionControl } = flags;
  return pluginTable
    .filter(({ name, byDefault }) =>
      admissionControl === null
        ? (byDefault || enableAdmissionPlugins.includes(name)) && !disableAdmissionPlugins.includes(name)
        : admissionControl.includes(name),
    )
    .map((plugin) => plugin.name);
}
