import { processRegistry } from '#shared/observability/metrics/process-registry.ts';
import { sampleLines } from './sample-lines.ts';

/**
 * What families of the process count while some work is done: `name{labels} growth`, sorted. Histograms tell how many
 * observations they have.
 * @param prefix of the names of the families
 */
export async function countedBy(prefix: string, work: () => unknown): Promise<string[]> {
  const before = new Map(read(prefix));
  await work();
  return read(prefix)
    .filter(([line, count]) => count !== (before.get(line) ?? 0))
    .map(([line, count]) => `${line} ${count - (before.get(line) ?? 0)}`)
    .sort();
}

function read(prefix: string): [line: string, count: number][] {
  const families = processRegistry.families().filter(({ name }) => name.startsWith(prefix));
  return sampleLines(...families)
    .filter((line) => !/^[a-z0-9_]+_(?:bucket|sum)[{ ]/.test(line))
    .map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]);
}
