import type { TokenKind } from './tokens.ts';

/** Names that may be fields, never variables or functions. */
export const reservedNames: ReadonlySet<string> = new Set([
  'as',
  'break',
  'const',
  'continue',
  'else',
  'for',
  'function',
  'if',
  'import',
  'let',
  'loop',
  'package',
  'namespace',
  'return',
  'var',
  'void',
  'while',
]);
/** Functions of the operators, by binding. */
export const relations = new Map<TokenKind, string>([
  ['<', '_<_'],
  ['<=', '_<=_'],
  ['>=', '_>=_'],
  ['>', '_>_'],
  ['==', '_==_'],
  ['!=', '_!=_'],
  ['in', '@in'],
]);
export const sums = new Map<TokenKind, string>([
  ['+', '_+_'],
  ['-', '_-_'],
]);
export const products = new Map<TokenKind, string>([
  ['*', '_*_'],
  ['/', '_/_'],
  ['%', '_%_'],
]);
