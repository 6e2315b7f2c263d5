import type { JsonObject } from '#shared/apimachinery/json/json.ts';
import type { FieldRequirement } from '#shared/apimachinery/selectors/fields.ts';
import { parseLabelSelector, type LabelRequirement } from '#shared/apimachinery/selectors/labels.ts';
import type { Steps } from '#shared/apimachinery/slices/slices.ts';
import { goJson } from '#shared/apimachinery/text/go-format.ts';
import type { AuthorizerAttributes } from '#shared/authorization/contract/authorizer.ts';
import type { UserInfo } from '#shared/request/user.ts';

/** The version of the review that a webhook gets, and answers with. */
export type AccessReviewVersion = 'v1' | 'v1beta1';

/** What a SubjectAccessReview asks, with the field names of v1. Members that are empty are left out. */
export interface AskedAccess {
  readonly resourceAttributes?: JsonObject;
  readonly nonResourceAttributes?: JsonObject;
  readonly user: UserInfo;
}

/**
 * The question to a webhook (plugin/pkg/authorizer/webhook). Selectors that cannot be parsed are left out: they only
 * narrow the question.
 * @param sendsSelectors whether the gate AuthorizeWithSelectors is on
 */
export function* askedAccess(attributes: AuthorizerAttributes, sendsSelectors: boolean): Steps<AskedAccess> {
  const { user, verb, path } = attributes;
  if (!attributes.resourceRequest) return { nonResourceAttributes: nonEmpty({ path, verb }), user };
  const { namespace, apiGroup: group, apiVersion: version, resource, subresource, name } = attributes;
  const texts = nonEmpty({ namespace, verb, group, version, resource, subresource, name });
  if (!sendsSelectors) return { resourceAttributes: texts, user };
  const fields = (attributes.fieldSelector ?? []).map(shownField);
  const labels = (yield* labelRequirements(attributes.labelSelector)).flatMap(shownLabel);
  return {
    resourceAttributes: {
      ...texts,
      ...(fields.length > 0 && { fieldSelector: { requirements: fields } }),
      ...(labels.length > 0 && { labelSelector: { requirements: labels } }),
    },
    user,
  };
}

/** The `spec` of the review as JSON, in which different questions differ. */
export function specText(
  { resourceAttributes, nonResourceAttributes, user }: AskedAccess,
  version: AccessReviewVersion,
): string {
  return goJson({
    ...(resourceAttributes !== undefined && { resourceAttributes }),
    ...(nonResourceAttributes !== undefined && { nonResourceAttributes }),
    ...nonEmpty({ user: user.name }),
    ...(user.groups.length > 0 && { [version === 'v1' ? 'groups' : 'group']: [...user.groups] }),
    ...(Object.keys(user.extra).length > 0 && { extra: sortedExtra(user.extra) }),
    ...nonEmpty({ uid: user.uid }),
  });
}

/** The body of the call. */
export function accessReviewBody(spec: string, version: AccessReviewVersion): string {
  const head = `{"kind":"SubjectAccessReview","apiVersion":"authorization.k8s.io/${version}","metadata":{}`;
  return `${head},"spec":${spec},"status":{"allowed":false}}\n`;
}

function nonEmpty(texts: Readonly<Record<string, string>>): JsonObject {
  return Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== ''));
}

function sortedExtra(extra: UserInfo['extra']): JsonObject {
  return Object.fromEntries(
    Object.entries(extra)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, values]) => [key, [...values]]),
  );
}

function shownField({ field, operator, value }: FieldRequirement): JsonObject {
  return { key: field, operator: operator === '=' ? 'In' : 'NotIn', values: [value] };
}

const shownOperators: ReadonlyMap<string, string> = new Map([
  ['=', 'In'],
  ['==', 'In'],
  ['in', 'In'],
  ['!=', 'NotIn'],
  ['notin', 'NotIn'],
  ['exists', 'Exists'],
  ['!', 'DoesNotExist'],
]);

/** Nothing for operators that reviews do not know. */
function shownLabel({ key, operator, values }: LabelRequirement): JsonObject[] {
  const shown = shownOperators.get(operator);
  if (shown === undefined) return [];
  return [{ key, operator: shown, ...(values.length > 0 && { values: [...values] }) }];
}

function* labelRequirements(
  selector: string | readonly LabelRequirement[] | undefined,
): Steps<readonly LabelRequirement[]> {
  if (selector === undefined || selector === '') return [];
  if (typeof selector !== 'string') return selector;
  try {
    return (yield* parseLabelSelector(selector)).requirements;
  } catch {
    return [];
  }
}
