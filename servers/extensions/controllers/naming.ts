import {
  findCondition,
  hasCondition,
  setCondition,
  statusOf,
  type Condition,
} from '#servers/extensions/crds/conditions.ts';
import { sameNames } from '#servers/extensions/crds/definition-names.ts';
import type { DefinitionView } from '#servers/extensions/facts/definition-view.ts';
import { aggregateMessages } from '#shared/apimachinery/errors/field-error.ts';
import { getKey, setKey } from '#shared/apimachinery/json/json.ts';
import type { JsonObject, JsonValue } from '#shared/apimachinery/json/json.ts';
import { objectAt, stringAt, stringsAt } from '#shared/apimachinery/object.ts';
import { goQuote } from '#shared/apimachinery/text/go-format.ts';
import type { DefinitionStep } from './definition-step.ts';

interface TakenNames {
  readonly resources: ReadonlySet<string>;
  readonly kinds: ReadonlySet<string>;
}

interface Conflict {
  readonly reason: string;
  readonly message: string;
}

/** Accepts the names that no other definition of the group has (apiextensions-apiserver/pkg/controller/status). */
export const namingStep: DefinitionStep = (object, others, nowMs) => {
  const wanted = objectAt(object, 'spec', 'names') ?? {};
  const accepted = objectAt(object, 'status', 'acceptedNames') ?? {};
  if (sameNames(wanted, accepted)) return;
  const { names, conflict } = acceptNames(wanted, accepted, takenNames(stringAt(object, 'spec', 'group'), others()));
  const condition: Condition =
    conflict === undefined
      ? { type: 'NamesAccepted', status: 'True', reason: 'NoConflicts', message: 'no conflicts found' }
      : { type: 'NamesAccepted', status: 'False', ...conflict };
  if (sameNames(names, accepted) && hasCondition(object, condition)) return;
  statusOf(object)['acceptedNames'] = names;
  setCondition(object, condition, nowMs);
  const established = findCondition(object, 'Established');
  if (established?.['status'] === 'True') return;
  if (conflict === undefined)
    setCondition(
      object,
      { type: 'Established', status: 'False', reason: 'Installing', message: 'the initial names have been accepted' },
      nowMs,
    );
  else if (established === undefined)
    setCondition(
      object,
      { type: 'Established', status: 'False', reason: 'NotAccepted', message: 'not all names are accepted' },
      nowMs,
    );
};

function takenNames(wanted: string, definitions: Iterable<DefinitionView>): TakenNames {
  const resources = new Set<string>();
  const kinds = new Set<string>();
  for (const { group, names } of definitions) {
    if (group !== wanted) continue;
    resources.add(names.plural).add(names.singular);
    for (const name of names.shortNames) resources.add(name);
    kinds.add(names.kind).add(names.listKind);
  }
  return { resources, kinds };
}

/** Accepts each name that no other definition has; the condition reports the last conflict. */
function acceptNames(
  wanted: JsonObject,
  accepted: JsonObject,
  taken: TakenNames,
): { names: JsonObject; conflict: Conflict | undefined } {
  const names: JsonObject = { ...accepted };
  let conflict: Conflict | undefined;
  const single = (key: string, reason: string, used: ReadonlySet<string>): void => {
    const name = stringAt(wanted, key);
    if (name !== stringAt(accepted, key) && used.has(name)) conflict = { reason, message: inUse(name) };
    else put(names, key, getKey(wanted, key));
  };
  single('plural', 'PluralConflict', taken.resources);
  single('singular', 'SingularConflict', taken.resources);
  const own = new Set(stringsAt(accepted, 'shortNames'));
  const clashes = stringsAt(wanted, 'shortNames').filter(
    (name) => !own.has(name) && name !== '' && taken.resources.has(name),
  );
  if (clashes.length > 0) conflict = { reason: 'ShortNamesConflict', message: aggregateMessages(clashes.map(inUse)) };
  else put(names, 'shortNames', wanted['shortNames']);
  single('kind', 'KindConflict', taken.kinds);
  single('listKind', 'ListKindConflict', taken.kinds);
  put(names, 'categories', wanted['categories']);
  return { names, conflict };
}

function put(names: JsonObject, key: string, value: JsonValue | undefined): void {
  if (value === undefined || value === null || (Array.isArray(value) && value.length === 0)) delete names[key];
  else setKey(names, key, value);
}

function inUse(name: string): string {
  return `${goQuote(name)} is already in use`;
}
