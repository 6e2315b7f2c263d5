import type { Figures } from './kbench.ts';

/** One workload on both servers; without a reference only ours. */
export interface Row {
  readonly name: string;
  readonly ours: Figures;
  readonly reference: Figures | undefined;
  /** Highest ratio of CPU that is aimed at. */
  readonly target: number;
}

export interface Totals {
  readonly npmStartMs: number;
  readonly nodeStartMs: number;
  readonly memoryMiB: number;
  readonly referenceStartMs: number | undefined;
  readonly referenceMemoryMiB: number | undefined;
}

/** The table of Markdown that goes into the README, marks of missed targets included. */
export function figuresTable(rows: readonly Row[], totals: Totals, date: string, machine: string): string {
  const none = 'no reference';
  const lines = rows.map(({ name, ours, reference, target }) => {
    const cpu = reference && ours.cpuMicros / reference.cpuMicros;
    const cells = [
      name,
      micros(ours.cpuMicros),
      reference ? micros(reference.cpuMicros) : none,
      cpu === undefined ? '' : mark(cpu.toFixed(2), cpu <= target),
      `≤ ${target}`,
      reference ? mark(`${ours.p99Ms} / ${reference.p99Ms}`, ours.p99Ms < reference.p99Ms) : `${ours.p99Ms}`,
      `${ours.perSecond} / ${reference?.perSecond ?? none}`,
      ...(ours.errors || reference?.errors ? [`ERRORS ${ours.errors} ${reference?.errors ?? ''}`] : []),
    ];
    return `| ${cells.join(' | ')} |`;
  });
  const ms = (value: number): string => `${Math.round(value)} ms`;
  return `${date}, ${machine}; ours / reference:

| workload | CPU ours | CPU reference | ratio | target | p99 ms | per second |
|---|---|---|---|---|---|---|
${lines.join('\n')}

| | ours | reference | target |
|---|---|---|---|
| empty data to ready, \`npm start\` | ${mark(ms(totals.npmStartMs), totals.npmStartMs <= 1200)} | ${totals.referenceStartMs === undefined ? none : ms(totals.referenceStartMs)} | ≤ 1200 ms |
| the same, without npm | ${mark(ms(totals.nodeStartMs), totals.nodeStartMs <= 800)} | | ≤ 800 ms |
| memory when ready (sum of Pss) | ${mark(`${Math.round(totals.memoryMiB)} MiB`, totals.memoryMiB <= 237)} | ${totals.referenceMemoryMiB === undefined ? none : `${Math.round(totals.referenceMemoryMiB)} MiB`} | ≤ 237 MiB |
`;
}

function mark(text: string, reached: boolean): string {
  return reached ? text : `**${text}**`;
}

function micros(value: number): string {
  return value >= 10_000 ? `${(value / 1000).toFixed(1)} ms` : `${value} µs`;
}
