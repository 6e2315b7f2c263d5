import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { inSlices } from '#shared/apimachinery/slices/slices.ts';
import { parseYamlInSteps } from './parse-in-steps.ts';
import { parseYaml } from './parse.ts';
import { yamlWorkerUrl, YamlThread } from './yaml-thread.ts';

const documents: Readonly<Record<string, string>> = {
  'values of all kinds':
    'a: [1, -1, 1.5, 0x10, 18446744073709551615, -9223372036854775808, yes, ~, "\\u00e9", <&>]\n__proto__: {toJSON: x}\nb:\n- |\n  text\n  more\n',
  'duplicate keys': 'a: 1\na: 2\nb: {c: 1, c: 2}\n',
  aliases: 'a: &a {x: &x [1, 2]}\nb: *a\nc: {<<: *a, y: *x}\n',
  'an empty document': '',
  'deep nesting': '['.repeat(500) + ']'.repeat(500),
  'an unclosed bracket': 'a: [1\n',
  'a value that contains itself': '&a [*a]',
  'an unknown alias': '*a',
  infinity: 'a: .inf',
  'control characters': 'a: \u0001',
  'texts repeated by aliases': `a: &a ${'x'.repeat(100_000)}\nb: [${'*a, '.repeat(1_000)}]\n`,
  'a bomb of aliases': ['a', 'b', 'c', 'd', 'e', 'f', 'g']
    .map((name, i, all) => `${name}: &${name} [${(i === 0 ? 'x, ' : `*${all[i - 1]}, `).repeat(10)}]\n`)
    .join(''),
};

function outcome<T>(promise: Promise<T>): Promise<unknown> {
  return promise.catch((error: Error) => `${error.name}: ${error.message}`);
}

describe('parseYamlInSteps', () => {
  for (const [name, text] of Object.entries(documents)) {
    test(`reads a large document as parseYaml reads a small one: ${name}`, async () => {
      const bytes = Buffer.from(text);
      assert.deepEqual(
        await outcome(inSlices(parseYamlInSteps(bytes))),
        await outcome((async () => parseYaml(bytes))()),
      );
    });
  }

  const brackets = (depth: number, inner = ''): string => '['.repeat(depth) + inner + ']'.repeat(depth);

  // This process has a stack for documents of clients no more than Node.js gives: the thread has its own.
  for (const [name, text, expected] of [
    ['in brackets', brackets(10_002), 'YamlError: yaml: exceeded max depth of 10000'],
    [
      'for JSON alone',
      `${'- '.repeat(9_999)}${brackets(9)}`,
      "JsonDepthError: invalid character '[' exceeded max depth",
    ],
    [
      'by aliases',
      `a: &a ${brackets(6_000)}\nb: ${brackets(6_000, '*a')}\n`,
      "JsonDepthError: invalid character '[' exceeded max depth",
    ],
  ] as const) {
    test(`rejects a large document that is nested too deep ${name}`, async () => {
      assert.equal(await outcome(inSlices(parseYamlInSteps(Buffer.from(text)))), expected);
    });
  }
});

describe('parseYaml', () => {
  test('rejects texts that aliases repeat beyond the limit', () => {
    assert.throws(() => parseYaml(Buffer.from(documents['texts repeated by aliases'] ?? '')), {
      name: 'YamlError',
      message: 'yaml: document contains excessive aliasing',
    });
  });
});

const textOf = async (thread: YamlThread, document: string): Promise<string> =>
  Buffer.from((await thread.read(Buffer.from(document))).json).toString();

describe('YamlThread', () => {
  test('starts with the first document and ends when idle', async () => {
    const thread = new YamlThread({ idleMs: 0 });
    assert.equal(thread.isRunning, false);
    for (const round of ['first', 'second']) {
      assert.equal(await textOf(thread, 'a: 1'), '{"a":1}', round);
      while (thread.isRunning) await new Promise((resolve) => setTimeout(resolve, 1));
    }
  });

  /** A program that fails at its first document. */
  function failing(code: string): URL {
    return new URL(
      `data:text/javascript,import{parentPort}from'node:worker_threads';parentPort.on('message',()=>{${encodeURIComponent(code)}})`,
    );
  }

  for (const [name, code, options, message] of [
    ['ends', 'process.exit(3)', {}, /ended \(3\)/],
    ['throws', 'throw new Error("broken")', {}, /broken/],
    ['takes too much memory', 'const all=[];for(;;)all.push([all.length,{}])', { heapMb: 16 }, /too much memory/],
  ] as const) {
    test(`fails its own document when the thread ${name}, and reads the waiting ones in a new thread`, async () => {
      let starts = 0;
      const thread = new YamlThread({ ...options, program: () => (starts++ === 0 ? failing(code) : yamlWorkerUrl()) });
      const [first, second] = await Promise.allSettled([textOf(thread, 'a: 1'), textOf(thread, 'b: 2')]);
      assert.match(String((first as PromiseRejectedResult).reason), message);
      assert.equal((second as PromiseFulfilledResult<string>).value, '{"b":2}');
      assert.equal(starts, 2);
    });
  }

  test('ends a thread that exceeds its time', async () => {
    let starts = 0;
    const program = (): URL => {
      starts += 1;
      return failing('for(;;);');
    };
    const thread = new YamlThread({ patienceMs: 1, program });
    for (const failed of await Promise.allSettled([textOf(thread, 'a: 1'), textOf(thread, 'b: 2')]))
      assert.match(String((failed as PromiseRejectedResult).reason), /too long/);
    assert.equal(starts, 2);
  });

  test('rejects documents when too many wait', async () => {
    const thread = new YamlThread({ mostWaiting: 1 });
    const taken = [textOf(thread, 'a: 1'), textOf(thread, 'b: 2')];
    await assert.rejects(textOf(thread, 'c: 3'), { code: 429 });
    assert.deepEqual(await Promise.all(taken), ['{"a":1}', '{"b":2}']);
  });
});
