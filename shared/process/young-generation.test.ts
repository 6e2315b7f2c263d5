import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { describe, test } from 'node:test';
import { cachedDataVersionTag } from 'node:v8';
import {
  keepYoungGenerationSmall,
  letYoungGenerationGrow,
  letYoungGenerationGrowSoon,
  requireWithUsualGrowth,
} from './young-generation.ts';

const mebibyte = 1024 * 1024;

describe('the young generation', () => {
  test('stays small while it is kept so, and grows under load afterwards', () => {
    const script = `import { getHeapSpaceStatistics } from 'node:v8';
      import { keepYoungGenerationSmall, letYoungGenerationGrow }
        from ${JSON.stringify(new URL('young-generation.ts', import.meta.url).href)};
      const kept = [];
      const sizeAfter = (objects) => {
        for (let at = 0; at < objects; at++) kept.push({ at, list: [at] });
        return getHeapSpaceStatistics().find((space) => space.space_name === 'new_space').space_size;
      };
      keepYoungGenerationSmall();
      const sizes = [sizeAfter(100_000), sizeAfter(600_000)];
      letYoungGenerationGrow();
      console.log(JSON.stringify([...sizes, sizeAfter(600_000)]));`;
    const argv = ['--max-semi-space-size=8', '--no-warnings', '--input-type=module', '-e', script];
    const [first, small, grown] = JSON.parse(execFileSync(process.execPath, argv, { encoding: 'utf8' })) as [
      number,
      number,
      number,
    ];
    assert.ok(small <= first + 2 * mebibyte, `${first} → ${small}`);
    assert.ok(grown >= small + 4 * mebibyte, `${small} → ${grown}`);
  });

  test('may grow some seconds after its process is ready', (t) => {
    t.after(letYoungGenerationGrow);
    t.mock.timers.enable({ apis: ['setTimeout'] });
    const usual = cachedDataVersionTag();
    keepYoungGenerationSmall();
    letYoungGenerationGrowSoon();
    t.mock.timers.tick(4_999);
    assert.notEqual(cachedDataVersionTag(), usual);
    t.mock.timers.tick(1);
    assert.equal(cachedDataVersionTag(), usual);
  });

  test('is kept small but for the moments in which modules are loaded', (t) => {
    t.after(letYoungGenerationGrow);
    const usual = cachedDataVersionTag();
    const tags: [id: string, tag: number][] = [];
    const real = (id: string): string => {
      tags.push([id, cachedDataVersionTag()]);
      if (id === 'missing') throw new Error('no such module');
      return `module ${id}`;
    };
    const load = requireWithUsualGrowth(Object.assign(real, { resolve: undefined }) as unknown as NodeJS.Require);
    keepYoungGenerationSmall();
    const small = cachedDataVersionTag();
    assert.notEqual(small, usual);
    assert.deepEqual([load('a'), load('a')], ['module a', 'module a']);
    assert.throws(() => load('missing') as unknown, /no such module/);
    assert.equal(cachedDataVersionTag(), small);
    letYoungGenerationGrow();
    load('b');
    assert.equal(cachedDataVersionTag(), usual);
    assert.deepEqual(tags, [
      ['a', usual],
      ['missing', usual],
      ['b', usual],
    ]);
  });
});
