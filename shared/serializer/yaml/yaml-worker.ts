/**
 * The worker thread that reads large YAML documents ({@link YamlTask}, {@link YamlAnswer}): js-yaml reads a document in
 * one step, which takes seconds for 3 MB.
 */
import { parentPort } from 'node:worker_threads';
import { rawText } from '#shared/serializer/json/loose.ts';
import { JsonDepthError } from '#shared/serializer/json/scan.ts';
import { YamlFailure } from './failure.ts';
import { parseYaml } from './parse.ts';
import type { YamlAnswer, YamlRefusal, YamlTask } from './thread-messages.ts';

const port = parentPort;
if (port === null) throw new Error('yaml-worker runs as a worker thread only');
port.on('message', ({ bytes }: YamlTask) => {
  const answer = read(bytes);
  port.postMessage(answer, answer.ok ? [answer.json.buffer] : []);
});

function read(bytes: Uint8Array): YamlAnswer {
  try {
    const { value, strictErrors } = parseYaml(bytes);
    return { ok: true, json: new TextEncoder().encode(rawText(value)), strictErrors };
  } catch (error) {
    return { ok: false, failure: refusalOf(error), message: error instanceof Error ? error.message : String(error) };
  }
}

function refusalOf(error: unknown): YamlRefusal {
  if (error instanceof YamlFailure) return 'yaml';
  if (error instanceof JsonDepthError) return error.bracket === '[' ? 'list' : 'object';
  return error instanceof RangeError ? 'stack' : 'other';
}
