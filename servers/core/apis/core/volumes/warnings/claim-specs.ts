import { fractionWarnings } from '#servers/core/warnings/fractions.ts';
import type { Path } from '#shared/apimachinery/errors/field-error.ts';
import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectAt } from '#shared/apimachinery/object.ts';

/**
 * Warnings about the spec of a PersistentVolumeClaim, also within templates (pkg/api/persistentvolumeclaim/util.go).
 */
export function claimSpecWarnings(spec: JsonObject | undefined, field: Path): string[] {
  return ['requests', 'limits'].flatMap((list) =>
    fractionWarnings(objectAt(spec, 'resources', list), ['storage'], field, 'resources', list),
  );
}
