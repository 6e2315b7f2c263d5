import { compareVersions } from '#shared/apimachinery/version-order.ts';
import type { RequestContext } from '#shared/request/request-context.ts';
import type { DefinitionView } from './facts/definition-view.ts';

/** Warns of a version that its definition calls deprecated, before any other warning. */
export function addVersionWarning(context: RequestContext, definition: DefinitionView, name: string): void {
  const version = definition.versions.find((candidate) => candidate.name === name);
  if (version?.deprecated !== true) return;
  context.addWarning(version.deprecationWarning ?? defaultWarning(definition, name));
  context.audit?.annotate('k8s.io/deprecated', 'true');
}

function defaultWarning({ group, names, versions }: DefinitionView, name: string): string {
  const text = `${group}/${name} ${names.kind} is deprecated`;
  const better = versions
    .filter((version) => version.served && !version.deprecated && compareVersions(version.name, name) < 0)
    .map((version) => version.name);
  const [best] = better.toSorted(compareVersions);
  return best === undefined ? text : `${text}; use ${group}/${best} ${names.kind}`;
}
