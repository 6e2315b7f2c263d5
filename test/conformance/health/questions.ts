import type { Answer } from './ask.ts';
import type { Subject, User } from './subject.ts';

export type Answers = Map<string, Answer>;

const endpoints = ['healthz', 'livez', 'readyz'] as const;

interface Question {
  readonly path: string;
  readonly user?: User;
  readonly method?: string;
}

/** What each endpoint is asked in every state of a server. */
const queries: readonly string[] = [
  '',
  '?verbose',
  '?verbose=false',
  '?exclude=etcd',
  '?verbose&exclude=etcd',
  '?verbose&exclude=etcd&exclude=etcd-readiness',
  '?verbose&exclude=etcd-readiness',
  '?exclude=etcd&exclude=etcd-readiness&exclude=shutdown',
  '?verbose&exclude=shutdown',
];

/** Forms of the query, other methods and other paths: asked once. */
const forms: readonly Question[] = endpoints.flatMap((endpoint): Question[] => [
  { path: `/${endpoint}?verbose&exclude=ping&exclude=log` },
  { path: `/${endpoint}?exclude=nope` },
  { path: `/${endpoint}?verbose&exclude=nope` },
  { path: `/${endpoint}?verbose&exclude=zoo&exclude=nope&exclude=nope` },
  { path: `/${endpoint}?verbose&exclude=` },
  { path: `/${endpoint}?verbose&exclude` },
  { path: `/${endpoint}?verbose&exclude=%22a%0Ab%C3%A4%FF%22` },
  { path: `/${endpoint}?verbose&exclude=poststarthook/rbac/bootstrap-roles` },
  { path: `/${endpoint}?verbose&exclude=etcd,ping` },
  { path: `/${endpoint}?verbose&exclude=ETCD` },
  { path: `/${endpoint}/nope` },
  { path: `/${endpoint}/` },
  { path: `/${endpoint}/ping/` },
  { path: `/${endpoint}/ping?verbose&exclude=ping` },
  { path: `/${endpoint}/poststarthook` },
  { path: `/${endpoint}`, method: 'HEAD' },
  { path: `/${endpoint}`, method: 'POST' },
  { path: `/${endpoint}`, method: 'DELETE' },
  { path: `/${endpoint}/etcd`, method: 'HEAD' },
  { path: `/${endpoint}?verbose`, user: 'nobody' },
  { path: `/${endpoint}/etcd`, user: 'nobody' },
  { path: `/${endpoint}/etcd`, user: 'bob' },
  { path: `/${endpoint}/nope`, user: 'nobody' },
]);

/** Asks each endpoint in every way that has to do with its state. */
export async function askState(subject: Subject, state: string, answers: Answers): Promise<void> {
  const questions = endpoints.flatMap((endpoint) => queries.map((query) => ({ path: `/${endpoint}${query}` })));
  await askAll(subject, questions, state, answers);
}

/** Asks each check at its own path, at all endpoints, whether they have it or not. */
export async function askChecks(
  subject: Subject,
  names: readonly string[],
  state: string,
  answers: Answers,
): Promise<void> {
  const questions = endpoints.flatMap((endpoint) => names.map((name) => ({ path: `/${endpoint}/${name}` })));
  await askAll(subject, questions, state, answers);
}

export async function askForms(subject: Subject, answers: Answers): Promise<void> {
  await askAll(subject, forms, 'forms', answers);
}

/** One after the other: health checks of the reference may answer with what they found a moment ago. */
async function askAll(
  subject: Subject,
  questions: readonly Question[],
  state: string,
  answers: Answers,
): Promise<void> {
  for (const { path, user = 'admin', method = 'GET' } of questions)
    answers.set(`${state}: ${user} ${method} ${path}`, await subject.ask(path, user, method));
}

/** Names of the checks in a verbose list that both servers have. */
export function checkNames(text: string): string[] {
  return [...text.matchAll(/^\[[+-]\](\S+)/gm)].map(([, name = '']) => name);
}
