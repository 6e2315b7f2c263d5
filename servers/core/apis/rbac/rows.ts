import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import { objectsAt, stringAt } from '#shared/apimachinery/object.ts';
import type { Cell } from '#shared/serializer/table/cells.ts';
import { ageOf, cellsOf, nameOf } from '#shared/serializer/table/cells.ts';
import type { KindRows } from '#shared/serializer/table/kind-rows.ts';

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
export const clusterRoleBindingRows: KindRows = {
  print: cellsOf(printBinding),
};

export const roleBindingRows: KindRows = {
  print: cellsOf(printBinding),
};
