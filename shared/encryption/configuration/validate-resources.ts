import { invalid, type FieldError, type Path } from '#shared/apimachinery/errors/field-error.ts';
import { formatGroupResource } from '#shared/apimachinery/gvk.ts';
import { parseGroupResource } from './group-resource.ts';

const withoutRestApi = new Set(['apiserveripinfo', 'serviceipallocations', 'servicenodeportallocations']);

/** The errors of the resources of one entry, whose rules may not overlap. */
export function validateResources(resources: readonly string[], field: Path): FieldError[] {
  const errors: FieldError[] = [];
  const rules = resources.map((text) => formatGroupResource(parseGroupResource(text)));
  if (new Set(rules).size < rules.length)
    errors.push(invalid(field, [...resources], 'the same resource cannot be specified multiple times'));
  if (overlaps(resources))
    errors.push(
      invalid(
        field,
        [...resources],
        "using overlapping resources such as 'secrets' and '*.' in the same resource list is not allowed as they will be masked",
      ),
    );
  resources.forEach((resource, at) => {
    const reason = nameFault(resource);
    if (reason !== undefined) errors.push(invalid(field.index(at), resource, reason));
  });
  return errors;
}

/** Whether one of several rules holds for all resources, or for the group of another, which may be the same. */
function overlaps(resources: readonly string[]): boolean {
  if (resources.length < 2) return false;
  if (resources.includes('*.*')) return true;
  const parsed = resources.map(parseGroupResource);
  return parsed.some(
    ({ group, resource }) => resource === '*' && parsed.filter((other) => other.group === group).length > 1,
  );
}

function nameFault(text: string): string | undefined {
  if (text.toLowerCase() !== text) return 'resource name should not contain capital letters';
  if (text === '*') return "use '*.' to encrypt all the resources from core API group or *.* to encrypt all resources";
  if (withoutRestApi.has(text)) return 'resources which do not have REST API/s cannot be encrypted';
  const { group, resource } = parseGroupResource(text);
  if (group === 'events.k8s.io')
    return "'*.events.k8s.io' objects are stored using the 'events' API group in etcd. Use 'events' instead in the config file";
  if (group === 'extensions') return "'extensions' group has been removed and cannot be used for encryption";
  return group === '*' && resource !== '*' ? 'encrypting the same resource across groups is not supported' : undefined;
}
