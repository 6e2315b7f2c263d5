import type { NamespaceLabels } from '#servers/core/apis/contract/guards.ts';
import { forbidden, path, type FieldError } from '#shared/apimachinery/errors/field-error.ts';
import { getKey, type JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectAt, objectsAt, type KubeObject } from '#shared/apimachinery/object.ts';
import type { Strategy } from '#shared/registry/strategy.ts';

const label = 'resource.kubernetes.io/admin-access';
const refusal = `admin access to devices requires the \`${label}: true\` label on the containing namespace`;

/**
 * Adds the rule for `adminAccess` to a strategy: only namespaces with the label may request devices that are in use
 * (KEP-5018, pkg/registry/resource/utils.go). `devicesOf` finds the device requests in the object.
 */
export function withAdminAccess(
  strategy: Strategy,
  namespaces: NamespaceLabels,
  devicesOf: (object: KubeObject) => JsonObject | undefined,
): Strategy {
  const refused = (namespace: string, at: FieldError[]): FieldError[] =>
    getKey(namespaces.labelsOf(namespace), label) === 'true' ? [] : at;
  return {
    ...strategy,
    *validateInSteps(object, old, context) {
      const requested =
        old !== undefined
          ? -1
          : objectsAt(devicesOf(object), 'requests').findIndex(
              (request) => objectAt(request, 'exactly')?.['adminAccess'] === true,
            );
      // As in the reference, the path lacks `exactly` and, for templates, the inner `spec`.
      const errors =
        requested < 0
          ? []
          : refused(context.namespace, [
              forbidden(path('spec', 'devices', 'requests').index(requested).child('adminAccess'), refusal),
            ]);
      return strategy.validateInSteps === undefined
        ? errors
        : [...errors, ...(yield* strategy.validateInSteps(object, old, context))];
    },
    async validateStatusUpdate(object, old, context) {
      const granted = adminResult(object);
      const errors =
        granted < 0 || adminResult(old) >= 0
          ? []
          : refused(context.namespace, [
              forbidden(
                path('status', 'allocation', 'devices', 'results').index(granted).child('adminAccess'),
                refusal,
              ),
            ]);
      return [...errors, ...((await strategy.validateStatusUpdate?.(object, old, context)) ?? [])];
    },
  };
}

function adminResult(claim: KubeObject): number {
  return objectsAt(claim, 'status', 'allocation', 'devices', 'results').findIndex(
    (result) => result['adminAccess'] === true,
  );
}
