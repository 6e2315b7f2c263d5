import { textOfNamedType } from '#shared/apimachinery/errors/field-error-type.ts';
import { notSupported, type FieldError, type Path } from '#shared/apimachinery/errors/field-error.ts';
import { messages } from '#shared/apimachinery/validation/field-rules.ts';
import { isQualifiedName } from '#shared/apimachinery/validation/names.ts';

/**
 * Validates the strategy that picks the leader: a name that Kubernetes defines, or one with a domain
 * (ValidateCoordinatedLeaseStrategy).
 */
export function validateLeaseStrategy(strategy: string, field: Path): FieldError[] {
  // As in the reference, the path has the name of the member twice.
  const at = field.child('strategy');
  if (strategy.includes('/')) return messages(isQualifiedName(strategy), at, textOfNamedType(strategy));
  return strategy === 'OldestEmulationVersion'
    ? []
    : [notSupported(at, textOfNamedType(strategy), ['OldestEmulationVersion'])];
}
