import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { chosenControllers, controllerErrors, controllerNames } from './controller-flags.ts';

describe('--controllers', () => {
  test('without a value, switches nothing on', () => {
    assert.deepEqual(chosenControllers([]), []);
  });

  test('with *, switches all on but those with a minus', () => {
    assert.deepEqual(chosenControllers(['*']), controllerNames);
    assert.deepEqual(chosenControllers(['*', '-namespace-controller', '-garbagecollector']), [
      'serviceaccount-controller',
      'root-ca-certificate-publisher-controller',
    ]);
  });

  test('with names of this and of earlier releases, switches these on', () => {
    assert.deepEqual(chosenControllers(['namespace', 'serviceaccount-controller']), [
      'namespace-controller',
      'serviceaccount-controller',
    ]);
  });

  test('with an unknown name, is refused with the name and those that are known', () => {
    assert.deepEqual(controllerErrors({ controllers: ['*', '-root-ca-cert-publisher'] }), []);
    const [error = '', ...others] = controllerErrors({ controllers: ['job-controller', 'namespace'] });
    assert.match(error, /"job-controller" is not in the list of known controllers: .*namespace-controller/);
    assert.deepEqual(others, []);
  });
});
