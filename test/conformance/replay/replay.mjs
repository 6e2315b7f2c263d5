#!/usr/bin/env node
// Replays a corpus of HTTP requests against a Kubernetes API server and compares
// the answers with recorded ones, or with those of a second, live server.
//
//   replay.mjs record --server URL --token T CORPUS... --out DIR   write DIR/NAME.golden.jsonl
//   replay.mjs check  --server URL --token T CORPUS... --golden DIR [--show N] [--quiet 1] [--line N] [--without KEY]
//   replay.mjs diff   --server URL --token T --against URL --against-token T CORPUS...
//   replay.mjs compare --golden DIR1 --against DIR2 CORPUS...      two recordings, no server
//
// Run every corpus against a server with fresh data; only the API server needs to run (no controllers).
// The token must be one of group system:masters; `tok-bob` must be user bob of group dev (see README.md).
//
// A corpus is a .jsonl file, one request a line (blank lines and lines that begin with # are skipped):
//   {"m":"POST","p":"/api/v1/namespaces","b":{...},"h":{"accept":"…"},"as":"token","save":{"rv":"metadata.resourceVersion"}}
// m       method (GET)            p  path            h  headers      as  token ("" for none)
// b       body: JSON, or a string that is sent as it is (default content type: JSON; PATCH: merge patch)
// save    values for ${name} in later lines (${name|url} is percent-encoded); a PATH each, see below
// until   "PATH=value", "PATH~text", "code=201": repeat (10 s at most, every 100 ms) until the answer is so
// wait    milliseconds to sleep before the request
// only    PATHs of the body that are compared; shape: true compares only the types of the leaves, keys: true the top keys
// ignore  "a.b[].c" or "**.key": parts of the body that are not compared; ignoreHeaders: header names
// drop    a regular expression: list elements (or their name) and keys that match are left out
// sort    "a.b": lists whose order is not defined
// exact   keys that are otherwise replaced (VOLATILE below) but are compared here
// A watch (watch=1 or watch=true in the path) is read for `watchMs` (800) milliseconds and its events are compared as a list.
//   "start":"w" leaves it open behind the following requests; a line {"events":"w"} (after `wait`) closes it and compares.
// {"defaults":{"ignore":[…],"exact":[…],…}} as a line of its own holds for the lines after it (lists are added to theirs).
// Random parts of names, times, versions and addresses are replaced, and the order of a Status's causes is not compared.
// PATH: a.b.0.c (~ stands for a dot in a key), list[].x maps, list[key=value].x selects, or a JSON pointer /a/b/0.
import { readFileSync, writeFileSync, mkdirSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import { basename, join } from 'node:path';

const argv = process.argv.slice(2);
const verb = argv.shift();
const opt = {
  server: '',
  token: '',
  against: '',
  'against-token': '',
  out: '',
  golden: '',
  show: '20',
  quiet: '',
  line: '',
  without: '',
};
const files = [];
while (argv.length) {
  const a = argv.shift();
  if (a.startsWith('--')) opt[a.slice(2)] = argv.shift();
  else files.push(a);
}
if (!['record', 'check', 'diff', 'compare'].includes(verb) || (verb !== 'compare' && !opt.server) || !files.length) {
  console.error(
    'usage: replay.mjs record|check|diff|compare --server URL --token T [--out DIR|--golden DIR|--against URL|DIR --against-token T] CORPUS.jsonl...',
  );
  process.exit(2);
}

const sleep = (ms) => new Promise((f) => setTimeout(f, ms));
const agents = new Map();
// Sends one request; with watchMs the answer is cut after that time, with onOpen it is read until the returned stop() is called.
function send(base, token, method, path, headers, body, watchMs, onOpen) {
  const url = new URL(base + path);
  const mod = url.protocol === 'https:' ? https : http;
  if (!agents.has(base)) agents.set(base, new mod.Agent({ keepAlive: true, rejectUnauthorized: false }));
  return new Promise((resolve, reject) => {
    // url.pathname would resolve "..": the path is sent as it was written
    const req = mod.request(
      url,
      {
        path,
        method,
        agent: agents.get(base),
        headers: { ...(token ? { authorization: `Bearer ${token}` } : {}), ...headers },
      },
      (res) => {
        const chunks = [];
        res.on('data', (c) => chunks.push(c));
        const done = () => resolve({ status: res.statusCode, headers: res.headers, body: Buffer.concat(chunks) });
        res.on('end', done);
        res.on('error', done);
        const stop = () => {
          done();
          req.destroy();
        };
        if (onOpen) onOpen(stop);
        else if (watchMs) setTimeout(stop, watchMs);
      },
    );
    req.setTimeout(20000, () => req.destroy(new Error('no answer in 20 s')));
    req.on('error', (e) => (watchMs ? resolve({ status: 0, headers: {}, body: Buffer.alloc(0) }) : reject(e)));
    if (body !== undefined) req.write(body);
    req.end();
  });
}

function at(o, path) {
  let keys;
  if (path.startsWith('/'))
    keys = path
      .slice(1)
      .split('/')
      .map((k) => k.replace(/~1/g, '/').replace(/~0/g, '~'));
  else
    keys = path
      .replace(/\[/g, '.[')
      .split('.')
      .filter(Boolean)
      .map((k) => k.replace(/~/g, '.'));
  const step = (v, i) => {
    if (i === keys.length || v == null) return v;
    const k = keys[i];
    if (k === '[]') return Array.isArray(v) ? v.map((x) => step(x, i + 1)) : undefined;
    const sel = k.match(/^\[(\w+)=(.*)\]$/);
    if (sel) return step(Array.isArray(v) ? v.find((x) => String(x?.[sel[1]]) === sel[2]) : undefined, i + 1);
    return step(v[k], i + 1);
  };
  return step(o, 0);
}

// What differs from run to run on one and the same server.
const VOLATILE = new Set([
  'uid',
  'resourceVersion',
  'creationTimestamp',
  'deletionTimestamp',
  'time',
  'selfLink',
  'remainingItemCount',
  'continue',
  'lastTransitionTime',
  'lastProbeTime',
  'lastUpdateTime',
  'startTime',
  'expirationTimestamp',
  'token',
  'clusterIP',
  'clusterIPs',
  'nodePort',
  'storageVersionHash',
  'lastObservedTime',
]);
const VOLATILE_HEADERS = [
  'audit-id',
  'date',
  'x-kubernetes-pf-flowschema-uid',
  'x-kubernetes-pf-prioritylevel-uid',
  'content-length',
  'connection',
  'keep-alive',
  'transfer-encoding',
  'etag',
  'x-varied-accept',
  'last-modified',
  'process-start-time-unix',
];
const RANDOM = '[bcdfghjklmnpqrstvwxz2456789]{5}';
function normalText(v) {
  return v
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, '<uuid>')
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)/g, '<time>')
    .replace(new RegExp(`kube-api-access-${RANDOM}`, 'g'), 'kube-api-access-<random>')
    .replace(/resource version: \d+, current: \d+/gi, 'resource version: <rv>, current: <rv>')
    .replace(/resource version: \d+( \(\d+\))?/gi, (m, c) => `resource version: <rv>${c ? ' (<rv>)' : ''}`)
    .replace(/(ResourceVersion in (?:precondition|object meta): )\d+/g, '$1<rv>')
    .replace(
      /the ResourceVersion in the precondition \(\d+\) does not match the ResourceVersion in record \(\d+\)/g,
      'the ResourceVersion in the precondition (<rv>) does not match the ResourceVersion in record (<rv>)',
    )
    .replace(/(\\?"resourceVersion\\?":\\?")\d+/g, '$1<rv>');
}
const dropped = (x, re) => new RegExp(re).test(typeof x === 'string' ? x : String(x?.name ?? x?.metadata?.name ?? ''));
function normal(v, key, path, c) {
  if (c.ignore.includes(path) || (key && c.ignore.includes(`**.${key}`))) return undefined;
  if (VOLATILE.has(key) && !c.exact.includes(key)) {
    if (v === undefined || v === '' || v === null || v === 'None' || v === '0') return v;
    if (Array.isArray(v)) return v.map((x) => (x === 'None' || x === '' ? x : `<${key}>`));
    if (typeof v !== 'object') return `<${key}>`;
  }
  if (Array.isArray(v)) {
    const a = v.filter((x) => !(c.drop && dropped(x, c.drop))).map((x) => normal(x, '', path + '[]', c));
    if (c.sort.includes(path)) a.sort((x, y) => (JSON.stringify(x) < JSON.stringify(y) ? -1 : 1));
    return a;
  }
  if (v && typeof v === 'object') {
    const o = {};
    for (const k of Object.keys(v).sort()) {
      if (c.drop && dropped(k, c.drop)) continue;
      const n = normal(v[k], k, path ? `${path}.${k}` : k, c);
      if (n !== undefined) o[k] = n;
    }
    // the server walks maps in random order: the order of causes means nothing, in the list and in the message
    const causes = v.kind === 'Status' && o.details?.causes;
    if (Array.isArray(causes) && causes.length > 1) {
      causes.sort((x, y) => (JSON.stringify(x) < JSON.stringify(y) ? -1 : 1));
      o.message = o.message?.replace(/: \[[^]*\]$/, ': [<causes>]');
    }
    // a generated name keeps its prefix; the five random characters go
    if (typeof v.generateName === 'string' && v.generateName && typeof v.name === 'string') {
      const stem = v.generateName.slice(0, 58);
      if (v.name.startsWith(stem) && new RegExp(`^${RANDOM}$`).test(v.name.slice(stem.length))) {
        o.name = `${stem}<random>`;
        if (o.labels?.['kubernetes.io/metadata.name'] === v.name) o.labels['kubernetes.io/metadata.name'] = o.name;
      }
    }
    return o;
  }
  // the age column of a table
  if (path.endsWith('cells[]') && /^(\d+[smhd])+$/.test(v)) return '<age>';
  return typeof v === 'string' ? normalText(v) : v;
}
const shape = (v) =>
  Array.isArray(v)
    ? v.map(shape)
    : v && typeof v === 'object'
      ? Object.fromEntries(Object.entries(v).map(([k, x]) => [k, shape(x)]))
      : v === null
        ? 'null'
        : typeof v;
function parse(buf, headers, watch) {
  const type = String(headers['content-type'] ?? '');
  const text = buf.toString('utf8');
  if (type.includes('protobuf')) return { protobuf: text.startsWith('k8s\0') };
  if (!watch)
    try {
      return JSON.parse(text);
    } catch {
      /* plain text */
    }
  const lines = text.split('\n').filter(Boolean);
  try {
    const all = lines.map((l) => JSON.parse(l));
    return all.length || watch ? all : text;
  } catch {
    return text;
  }
}

async function run(file, base, token) {
  const vars = {};
  const open = {};
  let defaults = {};
  const fill = (s) =>
    s.replace(/\$\{(\w+)(\|url)?\}/g, (m, k, url) =>
      vars[k] === undefined ? m : url ? encodeURIComponent(vars[k]) : vars[k],
    );
  const out = [];
  let line = 0;
  for (const raw of readFileSync(file, 'utf8').split('\n')) {
    line++;
    if (!raw.trim() || raw.startsWith('#')) continue;
    const c = JSON.parse(fill(raw));
    if (c.defaults) {
      defaults = c.defaults;
      continue;
    }
    for (const k of ['ignore', 'exact', 'sort', 'ignoreHeaders']) c[k] = [...(defaults[k] ?? []), ...(c[k] ?? [])];
    if (c.wait) await sleep(c.wait);
    const method = c.m ?? 'GET';
    const headers = Object.fromEntries(Object.entries(c.h ?? {}).map(([k, v]) => [k.toLowerCase(), v]));
    let body, r, v;
    if (c.b !== undefined) {
      body = typeof c.b === 'string' ? c.b : JSON.stringify(c.b);
      headers['content-type'] ??= method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
      headers['content-length'] = Buffer.byteLength(body);
    }
    headers.accept ??= 'application/json';
    const who = c.as === undefined ? token : c.as;
    const watching =
      /[?&]watch(?!=(0|false)(&|$))(=|&|$)/i.test(c.p ?? '') ||
      /^\/apis?\/[^?]*\/watch\//.test(c.p ?? '') ||
      c.events !== undefined;
    const watchMs = watching ? (c.watchMs ?? 800) : 0;
    if (c.start) {
      open[c.start] = {};
      await new Promise((ready) => {
        const p = send(base, who, method, c.p, headers, body, watchMs, (stop) => {
          open[c.start].stop = stop;
          setTimeout(ready, 200);
        });
        open[c.start].result = p;
        setTimeout(ready, 3000);
      });
      continue;
    }
    if (c.events) {
      open[c.events].stop?.();
      r = await open[c.events].result;
      v = parse(r.body, r.headers, true);
    }
    const until = Date.now() + 10000;
    while (!c.events) {
      try {
        r = await send(base, who, method, c.p, headers, body, watchMs);
      } catch (e) {
        r = { status: `error: ${e.message}`, headers: {}, body: Buffer.alloc(0) };
      }
      v = parse(r.body, r.headers, watching && r.status === 200);
      if (!c.until || Date.now() > until) break;
      const [, path, op, want] = c.until.match(/^(.*?)([=~])([^\]]*)$/);
      const have = path === 'code' ? String(r.status) : String(at(v, path));
      if (op === '=' ? have === want : have.includes(want)) break;
      await sleep(100);
    }
    for (const [k, path] of Object.entries(c.save ?? {})) vars[k] = at(v, path);
    const h = {};
    for (const k of Object.keys(r.headers).sort())
      if (!VOLATILE_HEADERS.includes(k) && !c.ignoreHeaders.includes(k)) h[k] = normalText(String(r.headers[k]));
    let norm = normal(v, '', '', c);
    if (c.only) norm = Object.fromEntries(c.only.map((p) => [p, at(norm, p)]));
    if (c.shape) norm = shape(norm);
    if (c.keys) norm = Object.keys(norm ?? {}).sort();
    out.push({
      line,
      req: c.events ? `events of ${c.events}` : `${method} ${raw.match(/"p":\s*"([^"]*)"/)[1]}`,
      code: r.status,
      headers: h,
      body: norm,
    });
  }
  for (const w of Object.values(open)) w.stop?.();
  return out;
}

function differences(a, b, path, found) {
  if (a && b && typeof a === 'object' && typeof b === 'object' && Array.isArray(a) === Array.isArray(b)) {
    for (const k of new Set([...Object.keys(a), ...Object.keys(b)]))
      if (!opt.without || k !== opt.without) differences(a[k], b[k], path ? `${path}.${k}` : k, found);
  } else if (JSON.stringify(a) !== JSON.stringify(b)) found.push(`${path}: want ${clip(a)} have ${clip(b)}`);
  return found;
}
const clip = (v) => {
  const s = JSON.stringify(v) ?? 'nothing';
  return s.length > 220 ? `${s.slice(0, 220)}…` : s;
};
const recorded = (dir, name) =>
  readFileSync(join(dir, `${name}.golden.jsonl`), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((l) => JSON.parse(l));

let passed = 0,
  failed = 0;
for (const f of files) {
  const name = basename(f, '.jsonl');
  const have = verb === 'compare' ? recorded(opt.against, name) : await run(f, opt.server, opt.token);
  if (verb === 'record') {
    mkdirSync(opt.out, { recursive: true });
    writeFileSync(join(opt.out, `${name}.golden.jsonl`), have.map((x) => JSON.stringify(x)).join('\n') + '\n');
    console.log(`${name}: ${have.length} recorded`);
    continue;
  }
  const want = verb === 'diff' ? await run(f, opt.against, opt['against-token']) : recorded(opt.golden, name);
  let ok = 0;
  want.forEach((w, i) => {
    const h = have[i];
    if (opt.line && String(w.line) !== opt.line) return;
    const found = h
      ? differences(
          { req: w.req, code: w.code, headers: w.headers, body: w.body },
          { req: h.req, code: h.code, headers: h.headers, body: h.body },
          '',
          [],
        )
      : ['no such request in the corpus: record again'];
    if (!found.length) {
      ok++;
      return;
    }
    failed++;
    if (opt.quiet) return;
    console.log(`${name}.jsonl:${w.line} ${w.req}`);
    for (const d of found.slice(0, +opt.show)) console.log(`    ${d}`);
    if (found.length > +opt.show) console.log(`    (+${found.length - +opt.show} more)`);
  });
  passed += ok;
  console.log(`${name}: ${ok} of ${want.length} equal`);
}
if (verb !== 'record') console.log(`${passed} passed, ${failed} failed`);
// a watch that was cut may leave its socket behind
process.exit(failed ? 1 : 0);
