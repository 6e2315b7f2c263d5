import { isSliced, type Steps } from '#shared/apimachinery/slices/slices.ts';
import { decodeUtf8, parseJsonText } from '#shared/serializer/json/parse.ts';
import { parseYaml, type ParsedYaml } from './parse.ts';
import { YamlThread, type YamlAsJson } from './yaml-thread.ts';

/** One thread per process, since documents this large are rare; it runs only while there are some. */
const thread = new YamlThread();

/**
 * As {@link parseYaml}, for large documents: where work is sliced, another thread reads the document and returns JSON
 * text, which is parsed here in steps.
 * @throws YamlFailure or JsonDepthError; StatusError 429 while too many other documents wait
 */
export function* parseYamlInSteps(bytes: Uint8Array): Steps<ParsedYaml> {
  if (!isSliced()) return parseYaml(bytes);
  const { json, strictErrors } = yield* awaited(thread.read(bytes));
  return { value: yield* parseJsonText(decodeUtf8(json), undefined), strictErrors };
}

function* awaited(promise: Promise<YamlAsJson>): Steps<YamlAsJson> {
  const outcome: { answer?: YamlAsJson; error?: Error } = {};
  const settled = promise.then(
    (answer) => (outcome.answer = answer),
    (error: Error) => (outcome.error = error),
  );
  while (outcome.answer === undefined) {
    if (outcome.error !== undefined) throw outcome.error;
    yield settled;
  }
  return outcome.answer;
}
