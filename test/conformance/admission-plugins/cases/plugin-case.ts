import type { Step } from '#test/integration/admission/step.ts';

type Json = Record<string, unknown>;

/** One request. Its name comes from its place in a case. */
export interface CaseStep extends Omit<Step, 'name' | 'settles'> {
  /** Sent so many times, until it is refused. Default: once. */
  readonly times?: number;
}

/** The servers on which the plugin of a case is enabled. */
export type Enabled =
  /** All plugins but those of the other two. */
  | 'most'
  /** NamespaceExists alone: NamespaceAutoProvision would leave it nothing to refuse. */
  | 'only NamespaceExists'
  /** AlwaysDeny beside the default ones, on the data of a server without plugins: on new data nothing gets ready. */
  | 'with AlwaysDeny';

/** What one plugin does, and what it leaves alone. The namespace of the case and its service account exist. */
export interface PluginCase {
  readonly plugin: string;
  /** Default: `most`. */
  readonly enabled?: Enabled;
  /** What makes the objects that the other requests need. */
  readonly given?: readonly CaseStep[];
  /** Succeeds with the same answer, whether the plugin is enabled or not. */
  readonly admits: CaseStep;
  /** Succeeds with another answer when the plugin is enabled. */
  readonly changes?: CaseStep;
  /** Is refused by the plugin, and succeeds without it. */
  readonly refuses?: CaseStep;
}

/** Plugins that change and refuse nothing. */
export const idlePlugins: readonly string[] = ['AlwaysAdmit'];

export function namespaceOf(plugin: string): string {
  return `case-${plugin.toLowerCase()}`;
}

/** Path of a resource of the core group in the namespace of a plugin's case. */
export function pathIn(plugin: string, resource: string): string {
  return `/api/v1/namespaces/${namespaceOf(plugin)}/${resource}`;
}

export function post(path: string, body: unknown, ...show: string[]): CaseStep {
  return { method: 'POST', path, body, ...(show.length > 0 ? { show } : {}) };
}

/** A creation that is not stored. */
export function tryPost(path: string, body: unknown, ...show: string[]): CaseStep {
  return post(`${path}?dryRun=All`, body, ...show);
}

export function patch(path: string, body: unknown, ...show: string[]): CaseStep {
  return { method: 'PATCH', path, body, ...(show.length > 0 ? { show } : {}) };
}

export function configMap(name: string, metadata: Json = {}): Json {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, ...metadata } };
}

/** Gives the namespace of a case labels or annotations. */
export function annotated(plugin: string, metadata: Json): CaseStep {
  return patch(`/api/v1/namespaces/${namespaceOf(plugin)}`, { metadata });
}
