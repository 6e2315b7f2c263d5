import type {
  AccessAnswer,
  AccessQuestion,
  AuthorizeAccess,
  PathQuestion,
} from '#shared/admission/contract/authorize.ts';
import type { UserInfo } from '#shared/request/user.ts';
import type { Authorization, Authorizer, AuthorizerAttributes } from './contract/authorizer.ts';

/** Adapts the server's own authorizer to the form in which admission plugins call it. */
export function askAuthorizer(authorizer: Authorizer): AuthorizeAccess {
  return (user, question) => {
    const answer = authorizer.authorize(attributesOf(user, question));
    return answer instanceof Promise ? answer.then(answerOf) : answerOf(answer);
  };
}

function attributesOf(user: UserInfo, question: AccessQuestion | PathQuestion): AuthorizerAttributes {
  const { verb } = question;
  if ('path' in question) return { ...noResource, user, verb, path: question.path };
  const { group, version, resource, subresource = '', namespace = '', name, fieldSelector } = question;
  return {
    user,
    verb,
    resourceRequest: true,
    apiGroup: group,
    apiVersion: version,
    resource,
    subresource,
    namespace,
    name,
    path: '',
    ...(fieldSelector === undefined ? {} : { fieldSelector }),
  };
}

const noResource = {
  resourceRequest: false,
  apiGroup: '',
  apiVersion: '',
  resource: '',
  subresource: '',
  namespace: '',
  name: '',
} as const;

function answerOf({ decision, reason, error }: Authorization): AccessAnswer {
  return { allowed: decision === 'allow', reason, ...(error === undefined ? {} : { error }) };
}
