import { readFileSync } from 'node:fs';
import { getCallSites } from 'node:util';

/** Where code stands: the path from the project's root, and the line in it. */
export interface Place {
  /** `shared/filters/with-audit.ts` */
  readonly path: string;
  readonly line: number;
}

/** Of code whose place is not known, as klog has it. */
export const unknownPlace: Place = { path: '???', line: 1 };

/**
 * The file beside a bundle that says where the calls of its loggers stand in the sources: by the offset of the call in
 * the bundle. Written by the build.
 */
export interface PlacesFile {
  readonly paths: readonly string[];
  /** Offset in the bundle, index of the path, line. */
  readonly calls: readonly (readonly [offset: number, path: number, line: number])[];
}

/** What a call of a logger becomes in a bundle. */
type Tables = Map<string, ReadonlyMap<number, Place> | undefined>;
const tables: Tables = new Map();

export function placesPath(bundle: string): string {
  return `${bundle}.places.json`;
}

/**
 * The place of the code that called `callee`. In a bundle V8 is asked for the offset of the call alone: a line would
 * have it search megabytes of source for line feeds.
 */
export function placeOfCaller(callee: (...given: never[]) => unknown): Place {
  const frame = callerOf(callee);
  const script = frame?.getFileName() ?? '';
  if (frame === undefined || script === '') return unknownPlace;
  if (script.endsWith('.ts')) return placeInSource(script, frame);
  if (!tables.has(script)) tables.set(script, readTable(script));
  return tables.get(script)?.get(frame.getPosition()) ?? unknownPlace;
}

function callerOf(callee: (...given: never[]) => unknown): NodeJS.CallSite | undefined {
  const { stackTraceLimit } = Error;
  const prepare = Reflect.get(Error, 'prepareStackTrace') as unknown;
  const holder: { stack?: unknown } = {};
  try {
    Error.stackTraceLimit = 1;
    Error.prepareStackTrace = (_error, frames) => frames[0];
    Error.captureStackTrace(holder, callee);
    return holder.stack as NodeJS.CallSite | undefined;
  } finally {
    Object.assign(Error, { prepareStackTrace: prepare, stackTraceLimit });
  }
}

/** Sources run through tsx, whose source maps tell the lines. */
function placeInSource(script: string, frame: NodeJS.CallSite): Place {
  const [, path = script] = /\/((?:gateway|servers|shared|test)\/.*)$/.exec(script) ?? [];
  const mapped = getCallSites(mostFrames, { sourceMap: true }).find(
    (site) => site.scriptName.endsWith(path) && site.functionName === (frame.getFunctionName() ?? ''),
  );
  return { path, line: mapped?.lineNumber ?? frame.getLineNumber() ?? 1 };
}

const mostFrames = 12;

function readTable(script: string): ReadonlyMap<number, Place> | undefined {
  try {
    const { paths, calls } = JSON.parse(readFileSync(placesPath(script), 'utf8')) as PlacesFile;
    return new Map(calls.map(([offset, path, line]) => [offset, { path: paths[path] ?? '???', line }]));
  } catch {
    return undefined;
  }
}
