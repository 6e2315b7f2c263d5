import { firstWarnings } from '#servers/core/warnings/first-warnings.ts';
import { fractionWarnings } from '#servers/core/warnings/fractions.ts';
import type { Path } from '#shared/apimachinery/errors/field-error.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectAt, objectsAt, stringAt } from '#shared/apimachinery/object.ts';
import { goQuote } from '#shared/apimachinery/text/go-format.ts';

/** Resources of pods that are counted in bytes. */
export const byteResources: readonly string[] = ['memory', 'ephemeral-storage'];

/** Warnings about one container on its own (pkg/api/pod/warnings.go). */
export function containerWarnings(container: JsonObject, field: Path): string[] {
  const resources = objectAt(container, 'resources');
  const [limits, requests] = [objectAt(resources, 'limits'), objectAt(resources, 'requests')];
  const warnings: string[] = [];
  if (limits !== undefined || requests !== undefined) {
    for (const name of byteResources) {
      warnings.push(
        ...fractionWarnings(limits, [name], field, 'resources', 'limits'),
        ...fractionWarnings(requests, [name], field, 'resources', 'requests'),
      );
    }
  }
  return [...warnings, ...hiddenVariables(objectsAt(container, 'env'), field)];
}

/** Warns about a variable that hides an earlier one of its name, unless its value refers to the earlier one. */
function hiddenVariables(variables: readonly JsonObject[], container: Path): string[] {
  if (variables.length < 2) return [];
  const seen = new Set<string>();
  return firstWarnings(variables, (variable, index) => {
    const [name, value] = [stringAt(variable, 'name'), stringAt(variable, 'value')];
    if (!seen.has(name)) {
      seen.add(name);
      return [];
    }
    const reference = `$(${name})`;
    const hides = objectAt(variable, 'valueFrom') !== undefined || value === reference || !value.includes(reference);
    return hides
      ? [
          `${container.child('env').index(index).toString()}: hides previous definition of ${goQuote(name)}, which may be dropped when using apply`,
        ]
      : [];
  });
}
