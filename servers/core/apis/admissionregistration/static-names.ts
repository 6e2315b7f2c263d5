import type { Gates } from '#servers/core/gates/gates.ts';
import { invalid, path, type FieldError } from '#shared/apimachinery/errors/field-error.ts';
import type { KubeObject } from '#shared/apimachinery/object.ts';
import type { Strategy } from '#shared/registry/strategy.ts';

const suffix = '.static.k8s.io';
const text = `names ending with "${suffix}" are reserved for static manifest-based configurations and cannot be managed via the API`;

/**
 * Adds the rules for names with the suffix that is reserved for objects from manifest files (KEP-5793,
 * pkg/apis/admissionregistration/validation/static_suffix.go).
 */
export function withStaticNames(strategy: Strategy, gates: Gates): Strategy {
  const warnings = ({ metadata: { name = '' } }: { readonly metadata: { name?: string } }): string[] =>
    name.endsWith(suffix) ? [`metadata.name: ${text}`] : [];
  const taken = ({ metadata: { name = '' } }: KubeObject): FieldError[] =>
    gates.ManifestBasedAdmissionControlConfig && name.endsWith(suffix)
      ? [invalid(path('metadata', 'name'), name, text)]
      : [];
  const validateInSteps = strategy.validateInSteps?.bind(strategy);
  const validation: Strategy =
    validateInSteps === undefined
      ? { validate: (object, context) => [...(strategy.validate?.(object, context) ?? []), ...taken(object)] }
      : {
          *validateInSteps(object, old, context) {
            return [...(yield* validateInSteps(object, old, context)), ...(old === undefined ? taken(object) : [])];
          },
        };
  return {
    ...strategy,
    ...validation,
    warningsOnCreate: (object) => (gates.ManifestBasedAdmissionControlConfig ? [] : warnings(object)),
    warningsOnUpdate: warnings,
    warningsOnStatusUpdate: warnings,
  };
}
