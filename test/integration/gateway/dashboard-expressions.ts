import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const file = join(import.meta.dirname, '../../../servers/observe/dashboards/quarterdeck.json');

interface Panel {
  readonly title: string;
  readonly targets?: readonly { readonly expr: string; readonly legendFormat: string }[];
}

export interface DashboardQuery {
  readonly panel: string;
  readonly expression: string;
  readonly legend: string;
}

/** The expressions of the dashboard, with a window in the place of Grafana's variable. */
export function dashboardQueries(window = '5m'): readonly DashboardQuery[] {
  const { panels } = JSON.parse(readFileSync(file, 'utf8')) as { readonly panels: readonly Panel[] };
  return panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr, legendFormat }) => ({
      panel: title,
      expression: expr.replaceAll('$__rate_interval', window),
      legend: legendFormat,
    })),
  );
}

/** A family that an expression reads, by the name of its samples. */
export interface ReadSamples {
  readonly name: string;
  readonly labels: readonly string[];
}

const operators: ReadonlySet<string> = new Set(['and', 'or', 'unless', 'bool', 'offset']);

/** Names of samples in an expression of PromQL, each with the labels of its matchers and of all lists. */
export function samplesRead(expression: string): readonly ReadSamples[] {
  const found: { name: string; labels: string[] }[] = [];
  const listed: string[] = [];
  const rest = expression
    .replaceAll(/"(?:[^"\\]|\\.)*"|\[[^\]]*\]/g, '')
    .replaceAll(/([a-zA-Z_:][\w:]*)\s*\{([^}]*)\}/g, (_all, name: string, matchers: string) => {
      found.push({ name, labels: [...matchers.matchAll(/(\w+)\s*[=!]/g)].map(([, label = '']) => label) });
      return '';
    })
    .replaceAll(/\b(?:by|without|on|ignoring)\s*\(([^)]*)\)/g, (_all, labels: string) => {
      listed.push(...labels.split(',').map((label) => label.trim()));
      return '';
    });
  // What a bracket follows is a function.
  for (const [, name = '', bracket] of rest.matchAll(/(?<![\w:])([a-zA-Z_:][\w:]*)\s*(\(?)/g))
    if (bracket === '' && !operators.has(name)) found.push({ name, labels: [] });
  return found.map(({ name, labels }) => ({ name, labels: [...new Set([...labels, ...listed])] }));
}

/** The labels of each name of samples in an exposition in Prometheus' text form. */
export function exposedLabels(text: string): ReadonlyMap<string, ReadonlySet<string>> {
  const exposed = new Map<string, Set<string>>();
  for (const [, name = '', labels = ''] of text.matchAll(/^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? \S+$/gm)) {
    const known = exposed.get(name) ?? new Set();
    exposed.set(name, known);
    for (const [, label = ''] of labels.matchAll(/(\w+)="(?:[^"\\]|\\.)*"/g)) known.add(label);
  }
  return exposed;
}
