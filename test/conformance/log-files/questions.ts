import { bobToken } from '#test/tokens.ts';

/** One request for a file, and what it is meant to show. */
export interface Question {
  /** As sent, behind `/logs`; `{folder}` is the name of the folder that the suite makes. */
  readonly path: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Default: the administrator's. */
  readonly token?: string;
}

const modified = 'Sat, 03 Oct 2026 10:20:30 GMT';
const before = 'Sat, 03 Oct 2026 10:20:29 GMT';

const paths: readonly string[] = [
  '',
  '?x=1',
  '/{folder}',
  '/{folder}/',
  '/{folder}?x=1&y',
  '/{folder}//',
  '//{folder}/',
  '/',
  '//',
  'x',
  '/{folder}/loop',
  '/{folder}/loop/below',
  '/{folder}/pages/',
  '/{folder}/plain.log',
  '/{folder}/plain.log/',
  '/{folder}/plain.log/below',
  '/{folder}/plain.log?x=1',
  '/{folder}//plain.log',
  '/{folder}/missing.log',
  '/{folder}/missing/plain.log',
  '/{folder}/empty',
  '/{folder}/nested',
  '/{folder}/nested/',
  '/{folder}/nested/index.html',
  '/{folder}/nested/index.html?x=1',
  '/{folder}/index.html',
  '/{folder}/link',
  '/{folder}/dangling',
  '/{folder}/outside/',
  '/{folder}/odd%20%3Fname%23%26%3Ca%3E.txt',
  '/{folder}/%ff',
  '/{folder}/a%00b',
  '/{folder}/colon:name',
  '/{folder}/nested%2Findex.html',
  '/{folder}%2Fplain.log',
  '/%2e%2e/%2e%2e/etc/passwd',
  '/../../etc/passwd',
  '/..%2F..%2Fetc%2Fpasswd',
  '/..\\..\\etc\\passwd',
  '/{folder}/..',
  '/{folder}/../{folder}/plain.log',
  '/{folder}/./plain.log',
  '/{folder}/.',
  '/{folder}/...',
  '/{folder}/two..dots',
  `/${'n'.repeat(255)}`,
  `/${'n'.repeat(256)}`,
  `/${'d/'.repeat(2100)}`,
  '/{folder}/archive.log.1.gz',
  '/{folder}/sniffed-gzip',
  '/{folder}/page.HTML',
  '/{folder}/sniffed-html',
  '/{folder}/data.json',
  '/{folder}/data.yaml',
  '/{folder}/sniffed-binary',
  '/{folder}/picture',
  '/{folder}/script.js',
  '/{folder}/.hidden',
];

const ranges: readonly string[] = [
  'bytes=0-4',
  'bytes=4-',
  'bytes=-3',
  'bytes=-0',
  'bytes=-100',
  'bytes=0-100',
  'bytes=10-',
  'bytes=11-',
  'bytes=100-200',
  'bytes=5-4',
  'bytes=a-b',
  'bytes=',
  'bytes=,',
  'bytes=0',
  'bytes= 0 - 2 ',
  'bytes=+0-2',
  'bytes=--1',
  'bytes=-+1',
  'lines=0-1',
  'Bytes=0-1',
  'bytes=0-1,3-4',
  'bytes=0-1,100-',
  'bytes=0-1,100-,9-8',
  'bytes=0-10,0-10',
  'bytes=99999999999999999999-',
];

const conditions: readonly Readonly<Record<string, string>>[] = [
  { 'if-modified-since': modified },
  { 'if-modified-since': before },
  { 'if-modified-since': 'Saturday, 03-Oct-26 10:20:30 GMT' },
  { 'if-modified-since': 'Sat Oct  3 10:20:30 2026' },
  { 'if-modified-since': 'Sat, 3 Oct 2026 10:20:30 GMT' },
  { 'if-modified-since': 'Sat, 03 Oct 2026 10:20:30 UTC' },
  { 'if-modified-since': 'Mon, 03 Oct 2026 10:20:30 GMT' },
  { 'if-modified-since': 'Sat, 32 Oct 2026 10:20:30 GMT' },
  { 'if-modified-since': '2026-10-03T10:20:30Z' },
  { 'if-modified-since': 'soon' },
  { 'if-unmodified-since': modified },
  { 'if-unmodified-since': before },
  { 'if-none-match': '*' },
  { 'if-none-match': '"a", W/"b"' },
  { 'if-none-match': 'a' },
  { 'if-none-match': '"a"', 'if-modified-since': modified },
  { 'if-match': '*' },
  { 'if-match': '"a"' },
  { 'if-match': '"a"', 'if-none-match': '*' },
  { range: 'bytes=0-1', 'if-range': modified },
  { range: 'bytes=0-1', 'if-range': before },
  { range: 'bytes=0-1', 'if-range': '"a"' },
  { range: 'bytes=0-1', 'if-range': 'soon' },
];

const file = '/{folder}/plain.log';

export const questions: readonly Question[] = [
  ...paths.map((path) => ({ path })),
  ...ranges.map((range) => ({ path: file, headers: { range } })),
  { path: '/{folder}/empty', headers: { range: 'bytes=0-1' } },
  { path: '/{folder}/empty', headers: { range: 'bytes=a' } },
  { path: '/{folder}/', headers: { range: 'bytes=0-1' } },
  ...conditions.flatMap((headers) => [file, '/{folder}/'].map((path) => ({ path, headers }))),
  ...['HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH'].map((method) => ({ path: file, method })),
  { path: '', method: 'POST' },
  { path: file, headers: { accept: 'application/json' } },
  { path: file, headers: { 'accept-encoding': 'gzip' } },
  { path: '/{folder}/long.log', headers: { 'accept-encoding': 'gzip' } },
  ...['', bobToken, 'wrong'].flatMap((token) => [file, '/', '', '/../x'].map((path) => ({ path, token }))),
];

/** Of the files whose time matters. */
export const modifiedAt = new Date(modified);
