import type { AuthorizerAttributes } from '#shared/authorization/contract/authorizer.ts';

/** Everything of a question but who asks. */
export type Question = Omit<AuthorizerAttributes, 'user'>;

/** Numbers of a seed, so that a failure can be had again (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const words: readonly string[] = [
  '',
  '',
  'get',
  'list',
  'bind',
  'escalate',
  'impersonate',
  'secrets',
  'pods',
  'groups',
  'users',
  'system:masters',
  'kube-system',
  'default',
  'cluster-admin',
  'rbac.authorization.k8s.io',
  'a',
  'b',
  'aa',
  '*',
  '0',
  '1',
  '3:',
  '10:a',
  '1,1:',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'undefined',
  'null',
  'é',
  'e\u0301',
  '\ud800',
  '\udc00',
  '\ufffd',
  '😀',
  '\u2028',
  ' ',
  '/',
  '//',
  '%00',
  '%2F',
  'x'.repeat(253),
];
const separators: readonly string[] = [
  '\0',
  '\0',
  '\0',
  '/',
  '.',
  ':',
  ',',
  ' ',
  '\n',
  '\t',
  '\x1f',
  '|',
  '\\0',
  '\ufeff',
  '',
];

/** The fields of a question as a list, in the order in which a key might join them. */
function fieldsOf(question: Question): string[] {
  const { verb, apiGroup, resource, subresource, namespace, name, path } = question;
  return question.resourceRequest ? [verb, apiGroup, resource, subresource, namespace, name] : [verb, path];
}

function questionOf(fields: readonly string[]): Question {
  const none = { apiVersion: 'v1', apiGroup: '', resource: '', subresource: '', namespace: '', name: '', path: '' };
  const [verb = '', second = '', resource = '', subresource = '', namespace = '', name = ''] = fields;
  return fields.length === 2
    ? { ...none, verb, resourceRequest: false, path: second }
    : { ...none, verb, resourceRequest: true, apiGroup: second, resource, subresource, namespace, name };
}

/**
 * Two questions: the second is drawn like the first, or is the first with its fields' ends moved, which a joined key
 * would not see.
 */
export function hostilePair(random: () => number): readonly [Question, Question] {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const text = (): string => (random() < 0.6 ? pick(words) : pick(words) + pick(separators) + pick(words));
  const draw = (): Question => questionOf(Array.from({ length: random() < 0.3 ? 2 : 6 }, text));
  const first = draw();
  if (random() < 0.3) return [first, draw()];
  const separator = pick(separators);
  const joined = fieldsOf(first).join(separator);
  const length = random() < 0.5 ? 2 : 6;
  if (separator === '') {
    const ends = Array.from({ length: length - 1 }, () => Math.floor(random() * (joined.length + 1))).sort(
      (a, b) => a - b,
    );
    return [first, questionOf([0, ...ends].map((start, at) => joined.slice(start, ends[at] ?? joined.length)))];
  }
  const parts = joined.split(separator);
  // Surplus parts stay together, in one field or another.
  const surplus = Math.max(0, parts.length - length);
  const at = Math.floor(random() * length);
  const moved = [
    ...parts.slice(0, at),
    parts.slice(at, at + surplus + 1).join(separator),
    ...parts.slice(at + surplus + 1),
  ];
  return [first, questionOf([...moved, ...Array.from({ length }, () => '')].slice(0, length))];
}

/** Whether both ask the same. */
export function isSame(a: Question, b: Question): boolean {
  const [left, right] = [fieldsOf(a), fieldsOf(b)];
  return left.length === right.length && left.every((field, at) => field === right[at]);
}
