import type { JsonObject } from '../../apimachinery/json.ts';
import { objectsAt, stringAt } from '../../apimachinery/object.ts';
import type { Cell, RowPrinter } from './cells.ts';
import { ageOf, cellsOf, nameOf } from './cells.ts';

function printBinding(object: JsonObject): Cell[] {
  const subjects = objectsAt(object, 'subjects');
  const ofKind = (kind: string): readonly JsonObject[] => subjects.filter((item) => stringAt(item, 'kind') === kind);
  const names = (kind: string): string =>
    ofKind(kind)
      .map((item) => stringAt(item, 'name'))
      .join(', ');
  return [
    nameOf(object),
    `${stringAt(object, 'roleRef', 'kind')}/${stringAt(object, 'roleRef', 'name')}`,
    ageOf(object),
    names('User'),
    names('Group'),
    ofKind('ServiceAccount')
      .map((item) => `${stringAt(item, 'namespace')}/${stringAt(item, 'name')}`)
      .join(', '),
  ];
}

/** Roles and ClusterRoles have the default columns. */
export const RBAC_PRINTERS: Readonly<Record<string, RowPrinter>> = {
  ClusterRoleBinding: cellsOf(printBinding),
  RoleBinding: cellsOf(printBinding),
};
