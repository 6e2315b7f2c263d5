import type { AdmissionAttributes } from '#shared/admission/contract/admission.ts';
import type { ResourceMatch } from '#shared/admission/contract/object-versions.ts';
import { StatusError } from '#shared/apimachinery/errors/status.ts';
import type { KubeObject } from '#shared/apimachinery/object.ts';
import { matchesLabels, selectsEverything, type LabelSelector } from '#shared/apimachinery/selectors/labels.ts';
import type { MatchCriteria } from './match-criteria.ts';
import { matchRules } from './match-rule.ts';
import type { RequestNamespace } from './request-namespace.ts';

/**
 * Whether a request is selected, and the resource and kind in which its objects have to be shown
 * (apiserver/pkg/admission/plugin/policy/matching, and ShouldCallHook of the webhooks).
 * @throws StatusError where the namespace does not exist or a selector cannot be used, unless another criterion already
 *   says that the request is not selected
 */
export function matchRequest(
  criteria: MatchCriteria,
  attributes: AdmissionAttributes,
  namespace: RequestNamespace,
): ResourceMatch | undefined | Promise<ResourceMatch | undefined> {
  const { rules, excludeRules, isEquivalent, namespaceSelector, objectSelector } = criteria;
  if (excludeRules.length > 0 && matchRules(excludeRules, isEquivalent, attributes) !== undefined) return undefined;
  const match =
    rules === undefined
      ? { resource: attributes.resource, kind: attributes.kind }
      : matchRules(rules, isEquivalent, attributes);
  if (match === undefined) return undefined;
  const bySelectedObject = selectsObject(objectSelector, attributes);
  if (bySelectedObject === false) return undefined;
  const finish = (byNamespace: boolean): ResourceMatch | undefined => {
    if (!byNamespace) return undefined;
    if (bySelectedObject instanceof StatusError) throw bySelectedObject;
    return match;
  };
  const byNamespace = selectsNamespace(namespaceSelector, attributes, namespace);
  return typeof byNamespace === 'boolean' ? finish(byNamespace) : byNamespace.then(finish);
}

/** Objects without metadata (the options of a connection) have no labels that a selector could want. */
function selectsObject(
  selector: LabelSelector | StatusError,
  { object, oldObject, versions }: AdmissionAttributes,
): boolean | StatusError {
  if (selector instanceof StatusError) return selector;
  if (selectsEverything(selector)) return true;
  const selects = (shown: KubeObject | undefined): boolean =>
    shown?.metadata !== undefined && matchesLabels(selector, versions.labelsOf(shown));
  return selects(object) || selects(oldObject);
}

function selectsNamespace(
  selector: LabelSelector | StatusError,
  attributes: AdmissionAttributes,
  namespace: RequestNamespace,
): boolean | Promise<boolean> {
  const isNamespace = attributes.resource.resource === 'namespaces';
  // Other cluster-scoped objects are never exempt.
  if (attributes.namespace === '' && !isNamespace) return true;
  if (selector instanceof StatusError) throw selector;
  if (selectsEverything(selector)) return true;
  // The cache does not know the new state of a namespace that is being written.
  const { operation, object, subresource } = attributes;
  if (isNamespace && subresource === '' && (operation === 'CREATE' || operation === 'UPDATE'))
    return matchesLabels(selector, object?.metadata.labels);
  const selects = ({ metadata }: KubeObject): boolean => matchesLabels(selector, metadata.labels);
  const found = namespace.require();
  return found instanceof Promise ? found.then(selects) : selects(found);
}
