import type { Dispatcher } from 'undici';

/** The lines of an answer as they come, those of a watch. What follows the last line feed is dropped. */
export async function* bodyLines(body: Dispatcher.ResponseData['body']): AsyncGenerator<string> {
  // The parts of the line that has not ended yet: a large object comes in many chunks.
  let parts: string[] = [];
  for await (const chunk of body.setEncoding('utf8')) {
    const [first = '', ...others] = String(chunk).split('\n');
    parts.push(first);
    for (const next of others) {
      yield parts.join('');
      parts = [next];
    }
  }
}
