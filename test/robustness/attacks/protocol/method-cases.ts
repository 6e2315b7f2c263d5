import type { Case } from './case.ts';
import { plainCase } from './case.ts';

/** What a look-up in a plain object answers for, and methods that a parser may take for something else. */
const names = [
  ...Object.getOwnPropertyNames(Object.prototype),
  'prototype',
  'length',
  'name',
  'then',
  'get',
  'Get',
  'FOO',
  'CONNECTX',
  'M-SEARCH',
  'QUERY',
  'PURGE',
  'x'.repeat(32),
];
/** Of resources, where the verb of such a method is empty. On other paths it would be the verb: see `../access`. */
const paths = ['/apis/apps/v1/namespaces/default/deployments/a', '/api/v1/namespaces/default/configmaps'];

export const methodCases: readonly Case[] = [
  ...names.map((method) => plainCase(`${method} /api/v1/namespaces`, method, '/api/v1/namespaces')),
  ...['constructor', '__proto__', 'FOO'].flatMap((method) =>
    paths.map((path) => plainCase(`${method} ${path}`, method, path)),
  ),
];
