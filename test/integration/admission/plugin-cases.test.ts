import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { pluginTable } from '#shared/admission/gen/plugin-table.ts';
import { idlePlugins } from '#test/conformance/admission-plugins/cases/plugin-case.ts';
import { pluginCases } from '#test/conformance/admission-plugins/cases/plugin-cases.ts';

/** `test/conformance/admission-plugins/run.ts` plays the cases, and compares the table with the reference's list. */
describe('cases of admission plugins', () => {
  test('name each plugin once', () => {
    const names = pluginTable.map(({ name }) => name);
    assert.deepEqual(pluginCases.map(({ plugin }) => plugin).toSorted(), names.toSorted());
  });

  for (const { plugin, changes, refuses } of pluginCases) {
    const acts = changes !== undefined || refuses !== undefined;
    test(`have a request that ${plugin} ${acts ? 'changes or refuses' : 'leaves alone, as all'}`, () =>
      assert.equal(acts, !idlePlugins.includes(plugin)));
  }
});
