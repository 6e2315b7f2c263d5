import type { ClaimGuard } from '#servers/core/apis/contract/guards.ts';
import type { Gates } from '#servers/core/gates/gates.ts';
import { sameAs, sameMembers } from '#shared/api/same-by-type.ts';
import { forbidden, path, type FieldError } from '#shared/apimachinery/errors/field-error.ts';
import { StatusError } from '#shared/apimachinery/errors/status.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectAt, objectsAt, stringAt, stringsAt } from '#shared/apimachinery/object.ts';
import { nameIsDNSSubdomain } from '#shared/apimachinery/validation/names.ts';
import type { AuthorizerAttributes } from '#shared/authorization/contract/authorizer.ts';
import { splitServiceAccount } from '#shared/filters/impersonation/account-names.ts';
import type { OperationContext, Strategy } from '#shared/registry/strategy.ts';
import type { UserInfo } from '#shared/request/user.ts';
import { deviceKey } from './device-ids.ts';

type Require = (attributes: AuthorizerAttributes) => Promise<void>;

const nodeNameExtra = 'authentication.kubernetes.io/node-name';
const status = path('status');

/**
 * Adds authorization to a strategy: changes of allocation or `reservedFor` need `resourceclaims/binding`, and changes
 * of devices need `resourceclaims/driver` for each driver (KEP-4817, pkg/registry/resource/utils.go).
 */
export function withStatusAuthorization(
  strategy: Strategy,
  { requireAllowed, gates }: ClaimGuard & { readonly gates: Gates },
): Strategy {
  if (requireAllowed === undefined) return strategy;
  return {
    ...strategy,
    async validateStatusUpdate(claim, old, context) {
      const [now, before] = [objectAt(claim, 'status'), objectAt(old, 'status')];
      return [
        ...(await bindingErrors(now, before, requireAllowed, context)),
        // Without an allocation the device status is dropped anyway.
        ...(gates.DRAResourceClaimDeviceStatus && objectAt(now, 'allocation')
          ? await deviceErrors(now, before, requireAllowed, context)
          : []),
        ...((await strategy.validateStatusUpdate?.(claim, old, context)) ?? []),
      ];
    },
  };
}

async function bindingErrors(
  now: JsonObject | undefined,
  before: JsonObject | undefined,
  require: Require,
  context: OperationContext,
): Promise<FieldError[]> {
  if (sameMembers('io.k8s.api.resource.v1.ResourceClaimStatus', ['allocation', 'reservedFor'], now, before)) return [];
  const verb = context.verb ?? '';
  const refusal = await refusalOf(
    require,
    attributesOf({ verb, subresource: 'binding', namespace: '', name: '' }, context),
  );
  return refusal === undefined
    ? []
    : [
        forbidden(
          status.child('allocation'),
          `changing status.allocation or status.reservedFor requires resource="resourceclaims/binding", verb="${verb}" permission: ${refusal}`,
        ),
      ];
}

async function deviceErrors(
  now: JsonObject | undefined,
  before: JsonObject | undefined,
  require: Require,
  context: OperationContext,
): Promise<FieldError[]> {
  const drivers = changedDrivers(objectsAt(now, 'devices'), objectsAt(before, 'devices'));
  const prefixes = worksOn(context.user, nodeOf(objectAt(now, 'allocation')))
    ? ['associated-node:', 'arbitrary-node:']
    : ['arbitrary-node:'];
  const verbs = prefixes.map((prefix) => `${prefix}${context.verb ?? ''}`);
  const errors: FieldError[] = [];
  for (const driver of drivers) {
    const refusal = await refusalOfAll(
      verbs.map((verb) =>
        attributesOf({ verb, subresource: 'driver', namespace: context.namespace, name: driver }, context),
      ),
      require,
    );
    if (refusal !== undefined)
      errors.push(
        forbidden(
          status.child('devices'),
          `changing status.devices requires resource="resourceclaims/driver", verb="[${verbs.join(' ')}]" permission: ${refusal}`,
        ),
      );
  }
  return errors;
}

/** The drivers of devices that were added, removed or changed, in order. */
function changedDrivers(now: readonly JsonObject[], before: readonly JsonObject[]): string[] {
  const known = new Map(before.map((device) => [deviceKey(device), device]));
  const changed = new Set<string>();
  for (const device of now) {
    const key = deviceKey(device);
    if (!sameAs('io.k8s.api.resource.v1.AllocatedDeviceStatus', known.get(key), device))
      changed.add(stringAt(device, 'driver'));
    known.delete(key);
  }
  for (const device of known.values()) changed.add(stringAt(device, 'driver'));
  return [...changed].sort();
}

/** The node of an allocation; empty if the allocation is for several nodes. */
function nodeOf(allocation: JsonObject | undefined): string {
  const [term, ...others] = objectsAt(allocation, 'nodeSelector', 'nodeSelectorTerms');
  const [field, ...more] = objectsAt(term, 'matchFields');
  if (others.length > 0 || more.length > 0 || objectsAt(term, 'matchExpressions').length > 0) return '';
  const values = stringsAt(field, 'values');
  return stringAt(field, 'key') === 'metadata.name' && stringAt(field, 'operator') === 'In' && values.length === 1
    ? (values[0] ?? '')
    : '';
}

/** Whether the user is a service account whose token is bound to the node. */
function worksOn(user: UserInfo, node: string): boolean {
  const names = user.extra[nodeNameExtra] ?? [];
  return (
    node !== '' &&
    splitServiceAccount(user.name) !== undefined &&
    names.length === 1 &&
    names[0] === node &&
    nameIsDNSSubdomain(node, false).length === 0
  );
}

function attributesOf(
  question: Pick<AuthorizerAttributes, 'verb' | 'subresource' | 'namespace' | 'name'>,
  context: OperationContext,
): AuthorizerAttributes {
  return {
    user: context.user,
    resourceRequest: true,
    apiGroup: 'resource.k8s.io',
    apiVersion: context.version ?? '',
    resource: 'resourceclaims',
    path: '',
    ...question,
  };
}

/** The first refusal, or undefined if one of the questions is allowed. */
async function refusalOfAll(questions: readonly AuthorizerAttributes[], require: Require): Promise<string | undefined> {
  let first: string | undefined;
  for (const question of questions) {
    const refusal = await refusalOf(require, question);
    if (refusal === undefined) return undefined;
    first ??= refusal;
  }
  return first;
}

async function refusalOf(require: Require, attributes: AuthorizerAttributes): Promise<string | undefined> {
  try {
    await require(attributes);
    return undefined;
  } catch (error) {
    if (error instanceof StatusError && error.status.code === 403) return error.message;
    throw error;
  }
}
