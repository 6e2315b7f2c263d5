import { adminToken } from '#test/tokens.ts';
import type { Case } from './case.ts';
import type { Field } from './http2-wire.ts';

/** Answers who the request ran as. */
const path = '/apis/authentication.k8s.io/v1/selfsubjectreviews';
const body = '{"apiVersion":"authentication.k8s.io/v1","kind":"SelfSubjectReview"}';
const base: readonly Field[] = [
  ['content-type', 'application/json'],
  ['content-length', String(body.length)],
];
const token: Field = ['authorization', `Bearer ${adminToken}`];

function caseOf(...fields: readonly Field[]): Case {
  return { name: `headers ${JSON.stringify(fields)}`, method: 'POST', path, fields: [...base, ...fields], body };
}

const impersonation: readonly (readonly Field[])[] = [
  [['impersonate-user', 'bob']],
  [['impersonate-user', 'bob ']],
  [['impersonate-user', ' bob']],
  [['impersonate-user', '\tbob\t']],
  [['impersonate-user', 'b ob']],
  [['impersonate-user', '']],
  [
    ['impersonate-user', 'bob'],
    ['impersonate-user', 'admin'],
  ],
  [['impersonate-group', 'system:masters']],
  [
    ['impersonate-user', 'bob'],
    ['impersonate-group', 'a '],
    ['impersonate-group', 'system:masters'],
  ],
  [
    ['impersonate-user', 'bob'],
    ['impersonate-extra-__proto__', 'a'],
  ],
  [
    ['impersonate-user', 'bob'],
    ['impersonate-extra-constructor', 'a'],
  ],
  [['impersonate_user', 'bob']],
  [['x-remote-user', 'bob']],
  [
    ['x-remote-user', 'bob'],
    ['x-remote-group', 'system:masters'],
  ],
];

export const headerCases: readonly Case[] = [
  ...impersonation.map((fields) => caseOf(token, ...fields)),
  caseOf(['authorization', `Bearer ${adminToken} `]),
  caseOf(['authorization', ` Bearer ${adminToken}`]),
  caseOf(['authorization', `bearer ${adminToken}`]),
  caseOf(['authorization', `Bearer  ${adminToken}`]),
  caseOf(token, ['authorization', 'Bearer nobody']),
  caseOf(['authorization', 'Bearer nobody'], token),
  caseOf(['authorization', '']),
  caseOf(['authorization_', `Bearer ${adminToken}`]),
  caseOf(['cookie', 'a=b'], ['cookie', 'c=d'], token),
];

/** Fields that no message can have. */
export const impossibleCases: readonly Case[] = [
  ...['bob\n', 'b\0b', 'b\x7f', 'b\rb', 'b\x01b'].map((value) => caseOf(token, ['impersonate-user', value])),
  ...['impersonate-user\n', 'impersonate-user ', 'x y', '', 'x\0'].map((name) => caseOf(token, [name, 'bob'])),
];
