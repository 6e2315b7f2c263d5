import { newApplyConflict, type StatusError } from '#shared/apimachinery/errors/status.ts';
import type { Conflict } from '#shared/apimachinery/managed-fields/managers.ts';
import { pathText } from '#shared/apimachinery/schema/path-element.ts';
import { compareUtf8 } from '#shared/apimachinery/text/go-format.ts';
import { managerText } from './manager-identifier.ts';

/**
 * The 409 for an apply that would change fields of other managers
 * (apimachinery/pkg/util/managedfields/internal/conflict.go).
 */
export function newFieldConflict(conflicts: readonly Conflict[]): StatusError {
  const causes = conflicts.map(({ manager, path }) => ({
    reason: 'FieldManagerConflict',
    message: `conflict with ${managerText(manager)}`,
    field: pathText(path),
  }));
  return newApplyConflict(causes, messageOf(conflicts));
}

function messageOf(conflicts: readonly Conflict[]): string {
  const [first] = conflicts;
  if (conflicts.length === 1 && first !== undefined) {
    return `Apply failed with 1 conflict: conflict with ${managerText(first.manager)}: ${pathText(first.path)}`;
  }
  const byManager = [...Map.groupBy(conflicts, ({ manager }) => manager)].toSorted(([a], [b]) => compareUtf8(a, b));
  const lines = byManager.flatMap(([manager, paths]) => [
    `conflicts with ${managerText(manager)}:`,
    ...paths.map(({ path }) => `- ${pathText(path)}`),
  ]);
  return `Apply failed with ${conflicts.length} conflicts: ${lines.join('\n')}`;
}
