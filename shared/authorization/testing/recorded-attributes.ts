import { readFileSync } from 'node:fs';
import type { FieldRequirement } from '#shared/apimachinery/selectors/fields.ts';
import type { LabelOperator } from '#shared/apimachinery/selectors/label-selector-parser.ts';
import type { AuthorizerAttributes } from '#shared/authorization/contract/authorizer.ts';
import type { UserInfo } from '#shared/request/user.ts';

/** A user as upstream's tests give it: members may be null. */
export interface RecordedUser {
  readonly name: string;
  readonly uid: string;
  readonly groups: readonly string[] | null;
  readonly extra: Readonly<Record<string, readonly string[]>> | null;
}

/** A question of upstream's tests. */
export interface RecordedAttributes extends Omit<AuthorizerAttributes, 'user' | 'fieldSelector' | 'labelSelector'> {
  readonly user: RecordedUser | null;
  readonly fields?: readonly { readonly field: string; readonly operator: string; readonly value: string }[];
  readonly labels?: readonly {
    readonly key: string;
    readonly operator: LabelOperator;
    readonly values: readonly string[] | null;
  }[];
}

export function recordedUser(user: RecordedUser | null): UserInfo {
  const { name, uid, groups, extra } = user ?? { name: '', uid: '', groups: null, extra: null };
  return { name, uid, groups: groups ?? [], extra: extra ?? {} };
}

export function attributesOf({ user, fields, labels, ...others }: RecordedAttributes): AuthorizerAttributes {
  return {
    ...others,
    user: recordedUser(user),
    fieldSelector: fields?.flatMap(fieldOf),
    labelSelector: labels?.map(({ key, operator, values }) => ({ key, operator, values: values ?? [] })),
  };
}

/** Field selectors have two operators here: what else upstream knows stands for one of them, or is no term. */
function fieldOf({
  field,
  operator,
  value,
}: NonNullable<RecordedAttributes['fields']>[number]): readonly FieldRequirement[] {
  if (['=', '==', 'in'].includes(operator)) return [{ field, operator: '=', value }];
  return ['!=', 'notin'].includes(operator) ? [{ field, operator: '!=', value }] : [];
}

/** A table that `test/recorders/authorization/record.sh` wrote. */
export function recordedTable<Line>(folder: string, table: string): readonly Line[] {
  const file = new URL(`../${folder}/testdata/${table}.json`, import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8')) as readonly Line[];
}
