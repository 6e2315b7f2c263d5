// Holds the arrows between the parts of the project: who may import whom, and why not. Run by `npm run check`.
import { readFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { sourceFiles, projectRoot } from './source-files.ts';

interface Rule {
  /** Parts that this one may import, besides itself. */
  readonly may: readonly string[];
  /** Said when an arrow points elsewhere. */
  readonly why: string;
}

const machinery = ['shared/apimachinery'];
const facts = [...machinery, 'shared/api'];
const requests = [...facts, 'shared/request', 'shared/observability'];
const data = [...requests, 'shared/serializer', 'shared/storage', 'shared/watchcache'];
const registry = [...data, 'shared/admission', 'shared/registry'];
const credentials = ['shared/files', 'shared/x509'];
const access = [...registry, ...credentials, 'shared/authentication', 'shared/authorization'];
const whole = [...access, 'shared/http2', 'shared/endpoints', 'shared/filters', 'shared/server', 'shared/client'];

const rules: Readonly<Record<string, Rule>> = {
  'shared/apimachinery': { may: [], why: 'the machinery is the ground that everything stands on' },
  'shared/cel': { may: machinery, why: 'expressions know values and types, not who asks for their evaluation' },
  'shared/files': { may: [], why: 'files know nobody who reads them' },
  'shared/http2': { may: machinery, why: 'a connection knows streams and fields, not what is asked' },
  'shared/x509': { may: machinery, why: 'certificates are bytes: who shows them is judged elsewhere' },
  'shared/api': { may: machinery, why: 'facts know types, not servers' },
  'shared/observability': { may: machinery, why: 'everyone logs, so logging may know nobody' },
  'shared/request': { may: [...facts, 'shared/observability'], why: 'a request knows nothing of who serves it' },
  'shared/serializer': { may: facts, why: 'codecs work on values and schemas alone' },
  'shared/storage': { may: [...machinery, 'shared/observability'], why: 'storage moves bytes' },
  'shared/watchcache': { may: [...machinery, 'shared/storage', 'shared/observability'], why: 'the cache holds what storage says and gets its decoder handed in' },
  'shared/admission': { may: data, why: 'plugins look at objects and caches, never at handlers' },
  'shared/registry': { may: [...data, 'shared/admission'], why: 'the registry stores; who asks and how was decided before' },
  'shared/authentication': { may: [...registry, ...credentials], why: 'authentication reads requests and objects' },
  'shared/authorization': { may: [...registry, 'shared/authentication'], why: 'authorization reads requests, users and objects' },
  'shared/endpoints': { may: [...registry, 'shared/cel'], why: 'handlers end at the registry; the chain stands before them' },
  'shared/filters': { may: [...access, 'shared/endpoints'], why: 'filters stand before the handlers' },
  'shared/client': { may: registry, why: 'a client knows no server' },
  'shared/server': { may: whole, why: 'the server puts the chain together and knows no product' },
  gateway: { may: whole, why: 'the gateway reaches the servers over their listeners only' },
  'servers/core': { may: [...whole, 'shared/cel'], why: 'servers never import one another' },
  'servers/extensions': { may: [...whole, 'shared/cel'], why: 'servers never import one another' },
  'servers/store': { may: whole, why: 'servers never import one another' },
  'servers/launcher': { may: whole, why: 'the launcher starts processes; it does not run their code' },
};

/** `shared/storage/etcd/x.ts` → `shared/storage`; `gateway/proxy/y.ts` → `gateway`. */
function partOf(file: string): string {
  const [top = '', second = ''] = file.split('/');
  return top === 'shared' || top === 'servers' ? `${top}/${second}` : top;
}

/** Files that this one imports; with `values` only what is left after types are erased. */
function importsOf(file: string, values: boolean): string[] {
  const text = readFileSync(resolve(projectRoot, file), 'utf8');
  const found = [...text.matchAll(/(?:^|\n)\s*(?:import|export)\b[^;'"]*?\bfrom\s+'(\.[^']+)'|import\(\s*'(\.[^']+)'\s*\)|(?:^|\n)import\s+'(\.[^']+)'/g)];
  const kept = values ? found.filter((match) => !/^\s*(?:import|export)\s+type\b/.test(match[0])) : found;
  return kept.map((match) => relative(projectRoot, resolve(projectRoot, dirname(file), match[1] ?? match[2] ?? match[3] ?? '')));
}

function isTest(file: string): boolean {
  return file.endsWith('.test.ts') || file.includes('/testing/') || file.startsWith('test/');
}

function wrongArrows(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const wrong: string[] = [];
  for (const [file, targets] of graph) {
    if (isTest(file)) continue;
    const from = partOf(file);
    const rule = rules[from];
    if (!rule) {
      wrong.push(`${file}: no rule for ${from}; add one to test/quality/import-arrows.ts`);
      continue;
    }
    for (const target of targets) {
      const to = partOf(target);
      if (isTest(target)) wrong.push(`${file} → ${target}: the product imports no tests`);
      else if (to !== from && !rule.may.includes(to)) wrong.push(`${file} → ${target}: ${from} may not import ${to}: ${rule.why}`);
    }
  }
  return wrong;
}

/** Strongly connected components with more than one file (Tarjan). Types alone make no cycle. */
function cycles(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const found: string[][] = [];
  const visit = (file: string): void => {
    index.set(file, index.size);
    low.set(file, index.get(file) ?? 0);
    stack.push(file);
    for (const target of graph.get(file) ?? []) {
      if (!index.has(target)) visit(target);
      if (stack.includes(target)) low.set(file, Math.min(low.get(file) ?? 0, low.get(target) ?? 0));
    }
    if (low.get(file) !== index.get(file)) return;
    const component = stack.splice(stack.indexOf(file));
    if (component.length > 1) found.push(component);
  };
  for (const file of graph.keys()) if (!index.has(file)) visit(file);
  return found;
}

const files = sourceFiles();
const graph = (values: boolean) => new Map(files.map((file) => [file, importsOf(file, values)]));
const problems = [...wrongArrows(graph(false)), ...cycles(graph(true)).map((component) => `cycle: ${component.join(' → ')}`)];
for (const problem of problems) console.error(problem);
console.log(`import arrows: ${files.length} files, ${problems.length} problems`);
process.exitCode = problems.length > 0 ? 1 : 0;
