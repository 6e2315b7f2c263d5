import type { TokenKind } from './tokens.ts';

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
