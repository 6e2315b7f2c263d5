import { setTimeout as sleep } from 'node:timers/promises';
import type { Param, ParamLister } from '#shared/admission/policies/contract/param-source.ts';
import { StatusError } from '#shared/apimachinery/errors/status.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectAt, stringAt } from '#shared/apimachinery/object.ts';
import { SelectorError } from '#shared/apimachinery/selectors/label-selector-parser.ts';
import { labelSelectorAsSelector, matchesLabels } from '#shared/apimachinery/selectors/labels.ts';

/** How long a request waits for parameters that are being read. */
const readyWithinMs = 1_000;

/** Why a binding has no parameters although it needs some. */
export class ParamError extends Error {}

/** What a policy and a binding say about parameters. */
export interface ParamDemand {
  /** The `paramKind` of the policy. */
  readonly kind: JsonObject | undefined;
  readonly lister: ParamLister | undefined;
  /** The `paramRef` of the binding. */
  readonly reference: JsonObject | undefined;
}

/**
 * The parameters with which a policy is evaluated, once with each: `undefined` stands for an evaluation without a
 * parameter (apiserver/pkg/admission/plugin/policy/generic, policy_dispatcher.go).
 * @param requestNamespace the namespace of the request
 * @throws ParamError
 */
export async function collectParams(
  { kind, lister, reference }: ParamDemand,
  requestNamespace: string,
): Promise<readonly (Param | undefined)[]> {
  if (kind === undefined || reference === undefined) return [undefined];
  if (lister === undefined) throw new ParamError(`paramKind kind \`${kindText(kind)}\` not known`);
  const given = stringAt(reference, 'namespace');
  const namespace = lister.namespaced ? given || requestNamespace : '';
  if (lister.namespaced && namespace === '')
    throw new ParamError('cannot use namespaced paramRef in policy binding that matches cluster-scoped resources');
  if (!lister.isReady() && !(await isReadySoon(lister)))
    throw new ParamError(`paramKind kind \`${kindText(kind)}\` not yet synced to use for admission`);
  if (!lister.namespaced && given !== '')
    throw new ParamError('paramRef.namespace must not be provided for a cluster-scoped `paramKind`');
  const params = await select(lister, reference, namespace);
  if (params.length === 0 && stringAt(reference, 'parameterNotFoundAction') === 'Deny')
    throw new ParamError('no params found for policy binding with `Deny` parameterNotFoundAction');
  return params;
}

async function isReadySoon(lister: ParamLister): Promise<boolean> {
  await Promise.race([lister.ready().catch(() => undefined), sleep(readyWithinMs, undefined, { ref: false })]);
  // One that was closed meanwhile knows nothing.
  return lister.isReady();
}

async function select(lister: ParamLister, reference: JsonObject, namespace: string): Promise<readonly Param[]> {
  const name = stringAt(reference, 'name');
  const selector = objectAt(reference, 'selector');
  if (name !== '') {
    if (selector !== undefined) throw new ParamError('paramRef.name and paramRef.selector are mutually exclusive');
    const param = await converted(lister.get(namespace, name));
    return param === undefined ? [] : [param];
  }
  if (selector === undefined) throw new ParamError('one of name or selector must be provided');
  try {
    const wanted = labelSelectorAsSelector(selector);
    return await converted(lister.list(namespace, (labels) => matchesLabels(wanted, labels)));
  } catch (error) {
    throw error instanceof SelectorError ? new ParamError(error.message) : error;
  }
}

/** Waits for a conversion webhook. @throws ParamError where it fails */
async function converted<T>(found: T | Promise<T>): Promise<T> {
  try {
    return await found;
  } catch (error) {
    throw error instanceof StatusError ? new ParamError(error.message) : error;
  }
}

/** A ParamKind as its generated code in Go prints it. */
function kindText(kind: JsonObject): string {
  return `&ParamKind{APIVersion:${stringAt(kind, 'apiVersion')},Kind:${stringAt(kind, 'kind')},}`;
}
