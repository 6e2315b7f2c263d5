import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseDeclaration } from './parse-declaration.ts';

const source = String.raw`/**
 * Kubernetes
 */
import { V1Probe } from '../models/V1Probe.js';
/**
* A container.
*/
export declare class V1Container {
    /**
    * The image\'s \"name\".
    */
    'image'?: string;
    'livenessProbe'?: V1Probe;
    /**
    * More.
    */
    '_continue'?: string;
    static readonly discriminator: string | undefined;
}
`;

describe('parseDeclaration', () => {
  test('assigns each comment to the class or field that follows it', () => {
    const { text, fields } = parseDeclaration(source);
    assert.equal(text, 'A container.');
    assert.deepEqual(
      [...fields],
      [
        ['image', { text: 'The image\'s "name".', type: 'string' }],
        ['livenessProbe', { text: '', type: 'V1Probe' }],
        ['_continue', { text: 'More.', type: 'string' }],
      ],
    );
  });
});
